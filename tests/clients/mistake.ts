// The compiler must find a mistake on every marked line, and on no other.
import type { components, operations } from "./types.ts";

type Action = components["schemas"]["Action"];
type Wanted = operations["make_move"]["requestBody"]["content"]["application/json"];

export const right: Wanted = { action: { type: "draw_face_up", slot: 1 } };

export const unknown: Wanted = { action: { type: "fly" } }; // mistake
export const incomplete: Wanted = { action: { type: "claim", route: "dieppe-paris" } }; // mistake
export const text: Wanted = { text: 57 }; // mistake

export function wrong(action: Action, asked: components["schemas"]["Decision"]): string {
  const limit: string = asked.deadline; // mistake
  if (action.type === "draw_blind") return action.route; // mistake
  return limit;
}
