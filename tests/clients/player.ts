// A player that knows the API only by its types: it reads a decision, chooses and answers.
// Usage: node player.ts URL TOKEN GAME
import type { components, operations } from "./types.ts";

type Decision = components["schemas"]["Decision"];
type Action = components["schemas"]["Action"];
type Problem = components["schemas"]["Problem"];
type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;
type Listed = components["schemas"]["DecisionList"];
type Seen = components["schemas"]["Game"];
type Made = operations["make_move"]["responses"][201]["content"]["application/json"];

const [url, token, game] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };

async function refused(answer: Response): Promise<Error> {
  const problem = (await answer.json()) as Problem;
  return new Error(`${problem.status} ${problem.code}: ${problem.detail}`);
}

async function asked(): Promise<Decision | null> {
  const answer = await fetch(`${url}/v1/me/decisions?wait=2&options=all`, { headers });
  if (!answer.ok) throw await refused(answer);
  return ((await answer.json()) as Listed).decisions[0] ?? null;
}

// If the version is stale, no move is made: read the decision again.
async function move(body: Body<"make_move">, version: number): Promise<Made | null> {
  const answer = await fetch(`${url}/v1/games/${game}/moves`, {
    method: "POST",
    headers: { ...headers, "If-Match": `"${version}"` },
    body: JSON.stringify(body),
  });
  if (answer.status === 412) return null;
  if (!answer.ok) throw await refused(answer);
  return (await answer.json()) as Made;
}

// How much this player likes an action; the compiler checks that every kind is covered.
function liking(action: Action): number {
  switch (action.type) {
    case "claim":
      return 100 + Object.keys(action.payment).length;
    case "dice_claim":
      return 100 + (action.dice ?? []).length - (action.tokens ?? 0);
    case "pay_tunnel":
    case "dice_pay_tunnel":
      return 90;
    case "keep_tickets":
      return 80 - action.keep.length;
    case "draw_face_up":
      return 50 - action.slot;
    case "draw_blind":
    case "draw_three_blind":
    case "roll":
      return 40;
    case "buy_technology":
      return action.payment ? 30 : 30 - (action.dice ?? []).length;
    case "take_token":
      return action.kind === "double" ? 21 : 20;
    case "build_station":
    case "dice_build_station":
      return 10 + action.city.length;
    case "end_turn":
      return action.return_tokens === undefined ? 9 : 8;
    case "reroll":
    case "dice_draw_tickets":
      return action.dice.length;
    case "ride":
      return 70 + action.cities.length;
    case "take_passengers":
      return 60 + action.colours.length;
    case "place_passenger":
      return (action.city ?? "").length;
    case "draw_mixed_tickets":
      return action.long;
    case "decline_tunnel":
    case "draw_tickets":
    case "pass":
      return 0;
    default:
      return forgotten(action);
  }
}

function forgotten(action: never): never {
  throw new Error(`nobody has told me of ${JSON.stringify(action)}`);
}

// House bots take their time, like other players: poll until the game is over.
async function over(): Promise<boolean> {
  const answer = await fetch(`${url}/v1/games/${game}`, { headers });
  if (!answer.ok) throw await refused(answer);
  return ((await answer.json()) as Seen).status === "finished";
}

let moves = 0;
while (!(await over())) {
  const decision = await asked();
  if (decision === null) continue;
  const best = (decision.options ?? []).reduce(
    (best, other) => (liking(other.action) > liking(best.action) ? other : best),
    decision.default,
  );
  const made = await move({ action: best.action }, decision.version);
  if (made === null) continue;
  for (const { event } of made.events) {
    if (event.type === "game_ended") console.log(`winners: ${event.winners.join(", ")}`);
  }
  moves += 1;
}
console.log(`moves: ${moves}`);
