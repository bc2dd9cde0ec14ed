// A player that calls the API with the functions that @hey-api/openapi-ts has generated.
// Usage: node hey_api_player.js URL TOKEN GAME
import { client } from "./made/client.gen";
import { listDecisions, makeMove, readGame } from "./made";
import type { Decision, MoveRequest, Payment } from "./made";

// A claim if possible, so that games end soon; the thriftiest way, and as many things as may be.
function chosen(decision: Decision): MoveRequest {
  const claim = decision.menu.find((entry) => entry.group === "claim");
  const entry = claim ?? decision.menu[0];
  if (entry === undefined) throw new Error("there is nothing to choose");
  const things = entry.choice?.things.slice(0, entry.choice.most).map((thing) => thing.value);
  return { choose: { entry: entry.n, way: entry.ways[0], things } };
}

function spent(payment: Payment): number {
  const { dice = [], tokens = 0, ...cards } = payment;
  return Object.values(cards).reduce((sum, number) => sum + number, dice.length + tokens);
}

async function play(game: string): Promise<void> {
  const throwOnError = true;
  let moves = 0;
  let paid = 0;
  while ((await readGame({ path: { game }, throwOnError })).data.status !== "finished") {
    const { data } = await listDecisions({ query: { wait: 2 }, throwOnError });
    for (const decision of data.decisions) {
      const headers = { "If-Match": `"${decision.version}"` };
      const made = await makeMove({ path: { game }, headers, body: chosen(decision) });
      if (made.response?.status === 412) continue; // stale: read the decision again
      if (made.data === undefined) throw new Error(`${made.error.code}: ${made.error.detail}`);
      for (const { event } of made.data.events) {
        if (event.type === "route_claimed") paid += spent(event.payment);
      }
      moves += 1;
    }
  }
  console.log(`paid: ${paid > 0}`);
  console.log(`moves: ${moves}`);
}

const [url, token, game] = process.argv.slice(2);
client.setConfig({ baseUrl: url, auth: token });
void play(game);
