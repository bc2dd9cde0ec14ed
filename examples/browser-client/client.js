// Signs a player in with OAuth 2 (authorization code with PKCE) and plays, from any origin.

const CLIENT = "Sample browser client";
const HERE = location.origin + location.pathname; // where the player comes back to
const SERVICE = new URLSearchParams(location.search).get("service") || "http://127.0.0.1:8000";
const find = (id) => document.getElementById(id);

// ---- Signing in

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const stored = (name) => JSON.parse(localStorage.getItem(name) || "null");
const store = (name, value) => localStorage.setItem(name, JSON.stringify(value));

async function signIn(service) {
  const found = await fetch(`${service}/.well-known/oauth-authorization-server`);
  const server = await found.json();
  if (server.issuer !== service) throw new Error(`This is ${server.issuer}, not ${service}.`);
  const request = { server, state: random(), verifier: random() };
  sessionStorage.setItem("request", JSON.stringify(request));
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(request.verifier));
  location.assign(`${server.authorization_endpoint}?${new URLSearchParams({
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: HERE,
    scope: "read play",
    state: request.state,
    code_challenge: base64url(new Uint8Array(hash)),
    code_challenge_method: "S256",
  })}`);
}

async function comeBack(answer) {
  const request = JSON.parse(sessionStorage.getItem("request") || "null");
  sessionStorage.removeItem("request");
  history.replaceState(null, "", HERE); // the code does not stay in the address
  // An answer to another request, or of another server, is none of ours.
  if (answer.get("state") !== request?.state || answer.get("iss") !== request.server.issuer) {
    throw new Error("This answer does not belong to this sign-in. Please try again.");
  }
  if (answer.has("error")) throw new Error(answer.get("error_description") || answer.get("error"));
  await getTokens(request.server, {
    grant_type: "authorization_code",
    code: answer.get("code"),
    redirect_uri: HERE,
    code_verifier: request.verifier,
  });
}

async function getTokens(server, fields) {
  const body = new URLSearchParams({ client_id: CLIENT, ...fields });
  const answer = await fetch(server.token_endpoint, { method: "POST", body });
  const tokens = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(tokens.error_description), { code: tokens.error });
  store("session", { server, tokens, until: Date.now() + 1000 * tokens.expires_in });
}

// A refresh token works once, so only one tab may use it at a time.
const refresh = (used) =>
  navigator.locks.request("refresh", async () => {
    const { server, tokens } = stored("session");
    if (tokens.access_token !== used) return; // another tab was quicker
    const { refresh_token } = tokens;
    await getTokens(server, { grant_type: "refresh_token", refresh_token });
  });

async function signOut() {
  const { server, tokens } = stored("session");
  localStorage.removeItem("session");
  const body = new URLSearchParams({ client_id: CLIENT, token: tokens.refresh_token });
  await fetch(server.revocation_endpoint, { method: "POST", body });
  show();
}

// ---- The API

async function api(method, path, body, headers = {}) {
  const { server, tokens, until } = stored("session");
  if (until - Date.now() < 60_000) await refresh(tokens.access_token);
  const send = () =>
    fetch(`${server.issuer}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${stored("session").tokens.access_token}`,
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
  let answer = await send();
  if (answer.status === 401) {
    await refresh(tokens.access_token);
    answer = await send();
  }
  const document = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(document.detail), { code: document.code });
  return document;
}

// ---- The page

function element(name, text, more = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...more });
}

async function show() {
  const session = stored("session");
  find("signed-out").hidden = Boolean(session);
  find("signed-in").hidden = !session;
  if (!session) return;
  find("name").textContent = (await api("GET", "/me")).name;
  const { games } = await api("GET", "/games?mine=true&status=running");
  find("games").replaceChildren(
    ...games.map((game) => {
      const item = element("li", "");
      const open = () => attempt(() => showTable(game.id));
      item.append(element("button", game.title || game.id, { onclick: open }));
      return item;
    }),
  );
}

async function newGame() {
  const { commitment } = await api("POST", "/commitments");
  const table = { board: "usa", seats: 2, bots: { easy: 1 }, commitment, nonce: random() };
  const game = await api("POST", "/games", table, { "Idempotency-Key": random() });
  await show();
  await showTable(game.id);
}

async function showTable(game) {
  const { title } = await api("GET", `/games/${game}`);
  find("table").hidden = false;
  find("title").textContent = title || game;
  try {
    const decision = await api("GET", `/games/${game}/decision`);
    find("prompt").textContent = decision.prompt;
    find("menu").replaceChildren(...decision.menu.map((entry) => choiceForm(decision, entry)));
  } catch (problem) {
    if (problem.code !== "not_awaited") throw problem;
    find("prompt").textContent = "You have nothing to decide now.";
    find("menu").replaceChildren(element("button", "Look again", {
      onclick: () => attempt(() => showTable(game)),
    }));
  }
}

// One entry of the menu: its ways to pay in a list, its things as boxes to tick.
function choiceForm(decision, entry) {
  const form = element("form", "", { className: "entry" });
  form.append(element("strong", entry.title), " ", element("span", entry.costs), " ");
  const ways = element("select", "", { ariaLabel: "Way" });
  for (const way of entry.ways) ways.append(element("option", decision.ways[way].label, { value: way }));
  if (entry.ways.length > 0) form.append(ways);
  const boxes = (entry.choice?.things ?? []).map((thing) => {
    const label = element("label", ` ${thing.title} `);
    const box = element("input", "", { type: "checkbox", value: thing.value });
    label.prepend(box);
    form.append(label);
    return box;
  });
  form.append(element("button", "Play"));
  form.onsubmit = (event) => {
    event.preventDefault();
    const choose = { entry: entry.n };
    if (entry.ways.length > 0) choose.way = ways.value;
    if (entry.choice) choose.things = boxes.filter((box) => box.checked).map((box) => box.value);
    attempt(() => play(decision, choose));
  };
  return form;
}

async function play({ game, version }, choose) {
  // The version makes sure that this is still the decision; the key, that it is played once.
  const safe = { "If-Match": `"${version}"`, "Idempotency-Key": random() };
  try {
    const made = await api("POST", `/games/${game}/moves`, { choose }, safe);
    find("story").prepend(...made.events.map((event) => element("li", event.sentence)));
  } finally {
    await showTable(game); // also if somebody else has moved meanwhile
  }
}

async function attempt(work) {
  find("problem").hidden = true;
  try {
    await work();
  } catch (problem) {
    // The grant has ended: it expired, or the player has disconnected this app.
    if (problem.code === "invalid_grant" && stored("session")) localStorage.removeItem("session");
    find("problem").textContent = problem.message;
    find("problem").hidden = false;
    if (!stored("session")) find("signed-out").hidden = !(find("signed-in").hidden = true);
  }
}

find("service").value = stored("session")?.server.issuer ?? SERVICE;
find("sign-in").onsubmit = (event) => {
  event.preventDefault();
  attempt(() => signIn(find("service").value.replace(/\/$/, "")));
};
find("sign-out").onclick = () => attempt(signOut);
find("new-game").onclick = () => attempt(newGame);
const answer = new URLSearchParams(location.search);
attempt(async () => {
  if (answer.has("code") || answer.has("error")) await comeBack(answer);
  await show();
});
