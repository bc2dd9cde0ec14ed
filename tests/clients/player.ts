// A player that knows the interface only by its types: it asks, chooses by a habit, answers.
// Usage: node player.ts URL TOKEN GAME
import type { components, operations } from "./types.ts";

type Decision = components["schemas"]["DecisionAsked"];
type Action = components["schemas"]["Action"];
type Problem = components["schemas"]["Problem"];
type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { "application/json": infer Sent } };
}
  ? Sent
  : never;
type Made = operations["make_move"]["responses"][201]["content"]["application/json"];

const [url, token, game] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };

async function refused(answer: Response): Promise<Error> {
  const problem = (await answer.json()) as Problem;
  return new Error(`${problem.status} ${problem.code}: ${problem.detail}`);
}

async function asked(): Promise<Decision | null> {
  const answer = await fetch(`${url}/v1/games/${game}/decision`, { headers });
  if (answer.status === 204) return null;
  if (!answer.ok) throw await refused(answer);
  return (await answer.json()) as Decision;
}

async function move(body: Body<"make_move">, version: number): Promise<Made> {
  const answer = await fetch(`${url}/v1/games/${game}/moves`, {
    method: "POST",
    headers: { ...headers, "If-Match": `"${version}"` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw await refused(answer);
  return (await answer.json()) as Made;
}

// How much this player likes an action; the compiler sees to it that none is forgotten.
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
      return "payment" in action ? 30 : 30 - action.dice.length;
    case "take_token":
      return action.kind === "" ? 0 : 20;
    case "build_station":
    case "dice_build_station":
      return 10 + action.city.length;
    case "end_turn":
      return action.return_tokens === undefined ? 9 : 8;
    case "reroll":
    case "dice_draw_tickets":
      return action.dice.length;
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

let moves = 0;
let decision = await asked();
while (decision !== null) {
  const best = decision.options.reduce((one, other) =>
    liking(other.action) > liking(one.action) ? other : one,
  );
  const made = await move({ action: best.action }, decision.version);
  for (const { event } of made.events) {
    if (event.type === "game_ended") console.log(`winners: ${event.winners.join(", ")}`);
  }
  moves += 1;
  decision = made.decision;
}
console.log(`moves: ${moves}`);
