// The notebook: while it is open, a press on the board adds a route to the sketch or removes it;
// and notes that are being typed survive an update of the page.
"use strict";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page) return;
  const AGAIN = 50; // milliseconds
  const root = document.documentElement;
  const find = (selector) => page.querySelector(selector);
  const isOpen = () => Boolean(find("#view-notebook")?.checked && find("#sketch-press"));
  const sketched = () => [...page.querySelectorAll("[data-sketched]")];

  // ---- The sketch. Presses are sent one after the other.

  const waiting = [];

  const press = (route) => {
    waiting.push(route);
    if (waiting.length === 1) send();
  };

  const send = () => {
    const form = find("#sketch-press");
    if (!waiting.length || !form) return waiting.splice(0);
    if (root.classList.contains("busy")) return setTimeout(send, AGAIN);
    const route = waiting.shift();
    form.elements.route.value = route;
    form.elements.step.value = sketched().some((entry) => entry.dataset.sketched === route) ? "remove" : "add";
    form.requestSubmit();
    if (waiting.length) setTimeout(send, AGAIN);
  };

  // If the board is replaced during a press, the browser reports it for an element around both.
  const drawnAt = (event) => {
    if (!event.target.closest(".board-frame") || event.target.closest("button")) return null;
    const under = event.target.closest("svg") ? event.target : document.elementFromPoint(event.clientX, event.clientY);
    return under?.closest("#board [data-route], #board [data-city]");
  };

  // This listener comes before the one that opens the options of a route.
  page.addEventListener("click", (event) => {
    const drawn = isOpen() && drawnAt(event);
    if (!drawn) return;
    event.stopImmediatePropagation();
    if (drawn.dataset.route) press(drawn.dataset.route);
  });

  page.addEventListener("change", (event) => {
    if (event.target.id === "view-notebook") find(".of-place button")?.click(); // nothing is chosen
  });

  // ---- Notes.

  const notes = () => find("#notes-text");
  // Notes that the server has refused are in the form, and not saved either.
  const isTyped = (field) => field.value !== field.defaultValue || field.form.dataset.refused !== undefined;
  let sent = null;

  const mark = () => {
    const field = notes();
    if (field) find("[data-unsaved]").hidden = !isTyped(field);
  };

  page.addEventListener("input", (event) => {
    if (event.target === notes()) mark();
  });

  page.addEventListener("submit", (event) => {
    if (event.target.id === "notes-form") sent = notes().value;
  });

  // ---- What stays when the page is updated.

  const look = () => {
    const field = notes();
    const focused = document.activeElement;
    return {
      view: find(".views input:checked")?.id,
      typed: field && isTyped(field) ? field.value : null,
      version: field && field.form.elements.notes_version.value,
      cursor: field && field === focused ? [field.selectionStart, field.selectionEnd] : null,
      entry: sketched().findIndex((entry) => entry.contains(focused)),
      sketch: sketched().map((entry) => entry.dataset.sketched).join(" "),
    };
  };

  const restore = (kept) => {
    const field = notes();
    const view = kept.view && find(`#${kept.view}`);
    if (view) view.checked = true;
    if (!field) return;
    if (kept.typed !== null && field.form.dataset.refused === undefined && kept.typed.trim() !== field.value.trim()) {
      // The version tells the server which notes were changed, unless the new ones are our own.
      if (sent === null || field.value.trim() !== sent.trim()) field.form.elements.notes_version.value = kept.version;
      field.value = kept.typed;
    }
    if (kept.cursor && document.activeElement === document.body) {
      field.focus({ preventScroll: true });
      field.setSelectionRange(...kept.cursor);
    }
    mark();
    say(kept);
  };

  // After a step of the sketch: its sum for screen readers, and the focus where it was.
  const say = (kept) => {
    const entries = sketched();
    if (entries.map((entry) => entry.dataset.sketched).join(" ") === kept.sketch) return;
    if (isOpen()) find("[data-status]").textContent = find("#sketch-sum").textContent;
    if (kept.entry < 0 || document.activeElement !== document.body) return;
    const next = entries[Math.min(kept.entry, entries.length - 1)];
    (next ? next.querySelector('[value="remove"]') : find("#sketch-route"))?.focus({ preventScroll: true });
  };

  self.nightmail.notebook = { look, restore };
})();
