// A player that calls the API with the classes that openapi-generator (typescript-fetch) has made.
// Usage: node fetch_player.js URL TOKEN GAME
import { Configuration, GamesApi, MovesApi, ResponseError } from "./made";
import type { Decision, MoveRequest, Payment } from "./made";

// A claim if possible, so that games end soon; the thriftiest way, and as many things as may be.
function chosen(decision: Decision): MoveRequest {
  const claim = decision.menu.find((entry) => entry.group === "claim");
  const entry = claim ?? decision.menu[0];
  if (entry === undefined) throw new Error("there is nothing to choose");
  const things = entry.choice?.things.slice(0, entry.choice.most).map((thing) => thing.value);
  return { choose: { entry: entry.n, way: entry.ways[0], things } };
}

// Cards that are not spent are undefined.
function spent({ dice, tokens = 0, ...cards }: Payment): number {
  const numbers: (number | undefined)[] = Object.values(cards);
  return numbers.reduce<number>((sum, number) => sum + (number ?? 0), (dice?.size ?? 0) + tokens);
}

async function play(url: string, token: string, game: string): Promise<void> {
  const configuration = new Configuration({ basePath: url, accessToken: token });
  const [games, decisions] = [new GamesApi(configuration), new MovesApi(configuration)];
  let moves = 0;
  let paid = 0;
  while ((await games.readGame({ game })).status !== "finished") {
    for (const decision of (await decisions.listDecisions({ wait: 2 })).decisions) {
      const ifMatch = `"${decision.version}"`;
      try {
        const made = await decisions.makeMove({ game, ifMatch, moveRequest: chosen(decision) });
        for (const { event } of made.events) {
          if (event.type === "route_claimed") paid += spent(event.payment);
        }
        moves += 1;
      } catch (refusal) {
        if (!(refusal instanceof ResponseError)) throw refusal;
        if (refusal.response.status !== 412) throw new Error(await refusal.response.text());
      }
    }
  }
  console.log(`paid: ${paid > 0}`);
  console.log(`moves: ${moves}`);
}

const [url, token, game] = process.argv.slice(2);
void play(url, token, game);
