// A bot behind a webhook, for Node without any package: Nightmail calls it with each decision, and
// its response is the move.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";

const PORT = Number(process.env.PORT ?? 5000);
const KEY = Buffer.from(process.env.NIGHTMAIL_SECRET.replace(/^whsec_/, ""), "base64");
const OLDEST = 5 * 60; // seconds; older messages may be repetitions by somebody else
const LONGEST = 1 << 20;

/** Whether Nightmail has signed these bytes, and not long ago (Standard Webhooks). */
function isGenuine(headers, body) {
  const time = Number(headers["webhook-timestamp"]);
  if (!(Math.abs(Date.now() / 1000 - time) < OLDEST)) return false;
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const expected = createHmac("sha256", KEY).update(signed).update(body).digest();
  // After a change of the secret there are two signatures.
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Claim what scores most; otherwise draw cards, or do what comes first in the menu. */
function choose({ menu }) {
  const claims = menu.filter((entry) => entry.group === "claim");
  const best = claims.toSorted((one, other) => other.points - one.points)[0];
  const entry = best ?? menu.find((each) => each.group === "draw") ?? menu[0];
  const answer = { entry: entry.n };
  if (entry.ways.length) answer.way = entry.ways[0]; // the thriftiest
  if (entry.choice) {
    answer.things = entry.choice.things.slice(0, entry.choice.most).map((thing) => thing.value);
  }
  return { choose: answer };
}

/** Answer one message: 401 if it is forged, 204 if there is nothing to decide. */
function respond(headers, body, response) {
  if (!isGenuine(headers, body)) return response.writeHead(401).end();
  const message = JSON.parse(body);
  if (!["decision.opened", "decision.reminder"].includes(message.type)) {
    return response.writeHead(204).end();
  }
  response.writeHead(200, { "Content-Type": "application/json" });
  return response.end(JSON.stringify(choose(message.data)));
}

const server = createServer(async (request, response) => {
  const parts = [];
  let length = 0;
  try {
    for await (const part of request) {
      length += part.length;
      if (length > LONGEST) return response.writeHead(413).end();
      parts.push(part);
    }
    return respond(request.headers, Buffer.concat(parts), response);
  } catch (error) {
    console.error(error);
    return response.writeHead(500).end();
  }
});
server.listen(PORT, "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}/`));
