// Comfort for pages that also work without JavaScript, with plain links and forms.
"use strict";

(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const find = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // Pages can be installed; without a network, a page says so.
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/site/offline.js", { scope: "/" }).catch(() => null);

  // ---- Fair play: the browser adds a nonce to the randomness of a game. It is made after the
  // house has committed to the seed; otherwise it would prove nothing.

  const randomText = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  const cite = async (form) => {
    const { csrf_token: token, commitment, nonce } = form.elements;
    const body = new URLSearchParams({ csrf_token: token.value });
    const answer = await fetch(form.dataset.commit, { method: "POST", body });
    if (!answer.ok) return;
    commitment.value = (await answer.json()).commitment;
    nonce.value = randomText();
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    if (form.matches("[data-nonce]")) form.elements.nonce.value = randomText();
    // A form that is sent again unchanged is the same game and keeps its commitment and its nonce.
    if (!form.matches("[data-commit]") || form.elements.commitment.value) return;
    event.preventDefault();
    if (form.dataset.citing) return;
    form.dataset.citing = "yes";
    await cite(form).catch(() => null); // the game starts without a commitment and a nonce
    delete form.dataset.citing;
    form.submit();
  });

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-commit]");
    if (form) form.elements.commitment.value = form.elements.nonce.value = "";
  });

  const page = find("[data-live]");
  if (!page) return;
  const { choosing, board, cards, events, notice, notebook, replay, unsent } = nightmail;

  // Announce a text to screen readers, and show it if nothing else on the page says it.
  const tell = (text, shown = false) => {
    const line = find("[data-status]", page);
    line.textContent = text;
    line.classList.toggle("unseen", !shown);
    line.classList.toggle("shown-status", shown);
  };
  let busy = false;
  let unfollow = () => null;

  // ---- Updating the page: only the parts that differ are replaced.

  const swap = (text) => {
    const other = new DOMParser().parseFromString(text, "text/html");
    const fresh = find("[data-live]", other);
    if (!fresh) return null;
    const kept = memory();
    const before = events.look();
    if (find("main").className !== find("main", other).className) lay(other, fresh);
    giveBack();
    if (!fitted(page, fresh)) {
      const inside = [...fresh.childNodes].map((node) => document.importNode(node, true));
      page.replaceChildren(...inside);
    }
    page.dataset.tag = fresh.dataset.tag;
    page.dataset.live = fresh.dataset.live;
    remember(kept);
    ready();
    events.show(before);
    notice.update();
    unsent.check();
    return fresh;
  };

  // A game that has started has another layout, also around the live part of the page.
  const lay = (other, fresh) => {
    for (const selector of ["main", "header.sign > div", "footer"]) {
      find(selector).className = find(selector, other).className;
    }
    page.className = fresh.className;
    for (const old of [...page.parentElement.childNodes]) if (old !== page) old.remove();
    const around = [...fresh.parentElement.childNodes];
    const copies = around.map((node) => (node === fresh ? page : document.importNode(node, true)));
    const at = around.indexOf(fresh);
    page.before(...copies.slice(0, at));
    page.after(...copies.slice(at + 1));
  };

  // Update part by part, recursively, and return whether both have the same parts. Everything
  // between the parts stays, such as a slider that is being dragged.
  const fitted = (here, fresh) => {
    const parts = new Map(partsOf(fresh).map((part) => [part.id, part]));
    const ours = partsOf(here);
    if (!ours.length || ours.length !== parts.size) return false;
    if (ours.some((part) => !parts.has(part.id))) return false;
    for (const part of ours) {
      const next = parts.get(part.id);
      if (looks(part) === looks(next) || fitted(part, next)) continue;
      part.replaceWith(document.importNode(next, true));
    }
    return true;
  };

  const partsOf = (whole) => {
    const around = whole.closest("[data-part]");
    return all("[data-part]", whole).filter((part) => part.parentElement.closest("[data-part]") === around);
  };

  // Ignore differences that do not matter: random values in forms, what is unfolded, and classes
  // that we add.
  const looks = (part) =>
    part.outerHTML
      .replace(/name="(?:key|csrf_token)" value="[^"]*"| viewBox="[^"]*"| data-whole="[^"]*"| aria-pressed="[^"]*"| open=""/g, "")
      .replace(/ (?:lit|on-way|at-end|zoomed)\b/g, "");

  const SCROLLED = "#board, .menu, #tickets, #score, #notebook";

  const decision = () => find("#asked", page)?.dataset.asked;

  // Keep what the player was doing: the choice, open details, half a sentence.
  const memory = () => {
    const form = find("#choose", page);
    const talk = find('#talk input[name="text"]', page);
    const active = document.activeElement;
    return {
      decision: decision(),
      chosen: form && choosing.chosen(form),
      picked: lent && lent.place,
      unfolded: all("details[open]", page).map(named),
      scrolled: all(SCROLLED, page).map((part) => [part.scrollLeft, part.scrollTop]),
      draft: talk && talk.value,
      typing: talk !== null && talk === active,
      orders: find("#orders-text", page)?.value,
      at: page.contains(active) ? placeOf(active) : null,
      notebook: notebook.look(),
    };
  };

  // A selector for the focused element, so that keyboard users keep their place.
  const placeOf = (active) => {
    if (active.id) return `#${CSS.escape(active.id)}`;
    if (!active.name) return null;
    return `[name="${CSS.escape(active.name)}"][value="${CSS.escape(active.value)}"]`;
  };

  const remember = (kept) => {
    const form = find("#choose", page);
    if (form && decision() === kept.decision) {
      for (const details of all("details", page)) {
        if (kept.unfolded.includes(named(details))) details.open = true;
      }
      choosing.choose(form, kept.chosen);
      if (kept.picked) lend(kept.picked);
    }
    if (decision() === kept.decision) {
      all(SCROLLED, page).forEach((part, n) => {
        const [left, top] = kept.scrolled[n] || [0, 0];
        part.scrollTo({ left, top, behavior: "instant" });
      });
    }
    const talk = find('#talk input[name="text"]', page);
    if (talk && kept.draft) talk.value = kept.draft;
    if (talk && kept.typing) talk.focus();
    const orders = find("#orders-text", page);
    if (orders && kept.orders && !orders.value) {
      orders.value = kept.orders;
      orders.closest("details").open = true;
    }
    const at = kept.at && document.activeElement === document.body && find(kept.at, page);
    if (at) at.focus({ preventScroll: true });
    notebook.restore(kept.notebook);
  };

  const named = (details) => details.dataset.place || find("summary", details).textContent;

  // The text of a page; throws Away if the server cannot be reached.
  class Away extends Error {}
  const AWAY = [502, 503, 504]; // what a proxy answers while the server is gone

  const asText = async (address, options) => {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, ...options }).catch(() => null);
    const text = answer && !AWAY.includes(answer.status) && (await answer.text().catch(() => null));
    if (typeof text !== "string") throw new Away(address);
    return text;
  };

  // Show a page that has been fetched, whatever it is.
  const openText = (text) => {
    const fresh = swap(text);
    if (!fresh) showInstead(text);
    return fresh;
  };

  // A response that is not a game page, such as an error page, replaces the whole document.
  const showInstead = (text) => {
    unfollow();
    const other = new DOMParser().parseFromString(text, "text/html").documentElement;
    root.replaceWith(document.importNode(other, true));
    window.scrollTo({ top: 0, behavior: "instant" });
  };

  const refresh = async () => {
    const before = latest();
    if (!swap(await asText(location.href))) throw new Error("no such page now");
    const after = latest();
    if (after !== before) tell(after);
  };

  const latest = () => {
    const turn = find(".turn", page);
    const last = find("#story .told:last-of-type li:last-child", page);
    return [last && last.textContent, turn && turn.textContent].filter(Boolean).join(" ");
  };

  // ---- Options: a click on the board opens them, and the confirm bar shows what is chosen.

  // The options of a clicked route or city are moved into an overlay, so that the board stays in
  // view; afterwards they are moved back.
  let lent = null;

  const lend = (place) => {
    const group = find(`#choose [data-place="${CSS.escape(place)}"]`, page);
    if (!group) return null;
    find("#view-market", page).checked = true;
    const shelf = find(".of-place", page);
    const ways = group.tagName === "FIELDSET" ? group : find("fieldset", group);
    const head = document.createElement("header");
    const back = document.createElement("button");
    lent = { place, ways, gap: document.createComment("lent"), drawn: drawings(place) };
    const title = (find("summary", group) || find("legend", group)).cloneNode(true);
    head.append(document.createElement("span"), back);
    head.firstChild.append(...title.childNodes);
    back.type = "button";
    back.className = "quiet small";
    back.textContent = shelf.dataset.back;
    back.addEventListener("click", leave);
    ways.replaceWith(lent.gap);
    shelf.replaceChildren(head, ways);
    shelf.parentElement.classList.add("picked");
    for (const drawn of lent.drawn) drawn.classList.add("lit");
    uncover(shelf.parentElement);
    return ways;
  };

  // On a small screen the overlay may cover what was clicked: scroll until it is visible.
  const uncover = (sheet) => {
    const over = sheet.getBoundingClientRect();
    const under = lent.drawn.map((drawn) => drawn.getBoundingClientRect());
    const hidden = under.filter((box) => box.right > over.left && box.bottom > over.top);
    const most = Math.max(0, ...hidden.map((box) => box.bottom - over.top + 12));
    if (most) window.scrollBy({ top: most });
  };

  const giveBack = () => {
    if (!lent) return;
    lent.gap.replaceWith(lent.ways);
    for (const drawn of lent.drawn) drawn.classList.remove("lit");
    lent = null;
    const shelf = find(".of-place", page);
    shelf.replaceChildren();
    shelf.parentElement.classList.remove("picked");
  };

  const leave = () => {
    choosing.drop(lent.ways);
    giveBack();
    find("#board", page).focus({ preventScroll: true });
  };

  const drawings = (place) =>
    all("#board [data-route], #board [data-city]", page).filter(
      (drawn) => (drawn.dataset.route || drawn.dataset.city) === place,
    );

  const open = (place) => {
    giveBack();
    const ways = lend(place);
    if (!ways) return false;
    const inputs = all('input[name="choice"]', ways);
    if (inputs.length && !inputs.some((input) => input.checked)) {
      inputs[0].checked = true; // the thriftiest way
      choosing.pick(inputs[0]);
    }
    if (inputs.length) inputs.find((input) => input.checked).focus({ preventScroll: true });
    return true;
  };

  const ready = () => {
    const form = find("#choose", page);
    if (form) choosing.show(form);
    board.restore();
  };

  page.addEventListener("change", (event) => {
    if (event.target.matches('#choose [name="choice"], #choose .things input')) choosing.pick(event.target);
  });

  page.addEventListener("click", (event) => {
    if (find(".shown-status", page)) tell("");
    const drawn = event.target.closest("#board [data-route], #board [data-city]");
    if (!drawn || open(drawn.dataset.route || drawn.dataset.city) || !drawn.dataset.route) return;
    cannot(find("title", drawn).textContent);
    if (find("#asked", page)) explain(drawn.dataset.route);
  });

  // Ask the server why the clicked route cannot be claimed.
  let pressed = null;

  const cannot = (why) => tell(`${find("[data-status]", page).dataset.cannot} ${why}`, true);

  const explain = async (route) => {
    pressed = route;
    const query = new URLSearchParams({ route });
    const answer = await fetch(`${find("[data-status]", page).dataset.why}?${query}`).catch(() => null);
    const why = answer && answer.ok && !answer.redirected ? await answer.text() : "";
    if (why && pressed === route && find(".shown-status", page)) cannot(why);
  };

  page.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && lent) leave();
  });

  // ---- Forms are sent with fetch; if that fails, they are submitted normally.

  page.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.method !== "post" || busy) {
      if (busy) event.preventDefault();
      return;
    }
    if (!form.closest("#asked, #talk, #notebook")) return;
    event.preventDefault();
    if (unsent.holds(form.action)) return;
    if (form.id === "draw" && root.classList.contains("resting")) return;
    const unfinished = form.id === "choose" && choosing.unfinished(form);
    if (unfinished) return tell(unfinished, true);
    const moves = form.closest("#asked") !== null;
    const talk = form.closest("#talk") !== null;
    const body = new URLSearchParams(new FormData(form));
    const { submitter } = event;
    if (submitter && submitter.name) body.set(submitter.name, submitter.value);
    // The moves of the house come as news, so the answer need not wait for them.
    if (page.dataset.live && !root.classList.contains("offline")) body.set("live", "yes");
    if (submitter) submitter.classList.add("pressed");
    busy = true;
    root.classList.add("busy");
    try {
      if (!openText(await asText(form.action, { method: "POST", body }))) return;
      sent({ decision: moves, talk });
      if (form.id === "draw") cards.rest();
    } catch (error) {
      if (!(error instanceof Away)) return send(form, submitter);
      unsent.keep({
        ...{ address: form.action, body, decision: moves && decision() },
        ...{ talk, what: contentOf(form, submitter) },
      });
    } finally {
      busy = false;
      root.classList.remove("busy");
      setTimeout(catchUp, SETTLE); // the answer most likely is the newest page already
    }
  });

  // Say what has come of a form that was sent: a move if it answered a decision, or a message.
  const sent = ({ decision: moves, talk }) => {
    const draft = find('#talk input[name="text"]', page);
    if (talk && draft && !find(".alert", page)) draft.value = "";
    const answer = find(".alert, .turn", page);
    if (moves && answer) tell(answer.textContent);
  };

  // What a form would send, in words.
  const contentOf = (form, submitter) => {
    const chosen = find("[data-chosen]", form) || find('input[name="text"]', form);
    if (chosen) return chosen.value || chosen.textContent;
    return (find(".unseen", submitter) || submitter).textContent;
  };

  // Submit a form without the script, with what its button says.
  const send = (form, submitter) => {
    if (submitter && submitter.name) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: submitter.name, value: submitter.value });
      form.append(field);
    }
    form.submit();
  };

  // ---- A long list of places can be searched.

  page.addEventListener("input", (event) => {
    if (!event.target.matches("[data-filter]")) return;
    const typed = event.target.value.trim().toLowerCase();
    for (const group of all("details.group", event.target.closest("details.sort"))) {
      group.hidden = !find("summary", group).textContent.toLowerCase().includes(typed);
    }
  });

  // ---- News: the page is fetched again when the game has a tag that the page does not show.

  const SETTLE = 200; // milliseconds in which news about our own move arrive
  const RETRY = 2000;
  let newest = null;
  let fetching = false;

  const catchUp = async () => {
    if (busy || fetching || !newest || newest === page.dataset.tag) return;
    const tag = newest;
    fetching = true;
    const done = await refresh().then(() => true, () => false);
    fetching = false;
    if (!page.dataset.live) unfollow();
    if (!done) setTimeout(catchUp, RETRY);
    else if (newest !== tag) catchUp();
    else newest = null;
  };

  const receive = ({ tag, gone, live }) => {
    if (tag) {
      newest = tag;
      catchUp();
    }
    if (gone) location.reload(); // the answer says why
    if (live !== undefined) root.classList.toggle("offline", !live);
    if (live) unsent.retry();
  };

  replay.use({ load: asText, swap });
  unsent.use({ load: asText, open: openText, decision, tell, sent });
  ready();
  if (page.dataset.live) {
    unfollow = nightmail.follow(page.dataset.game, page.dataset.live, page.dataset.worker, receive);
  }
})();
