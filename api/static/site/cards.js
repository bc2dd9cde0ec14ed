// Taking cards with one press: a moment to cancel before a card is drawn unseen, and never two
// cards by a double press.
"use strict";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page) return;
  const MOMENT = 1000; // milliseconds
  const REST = 400; // milliseconds after a card in which a press is the second half of a double one
  const root = document.documentElement;
  let waiting = null; // { button, timer }

  const note = () => page.querySelector("[data-moment]");

  const stop = () => {
    if (!waiting) return;
    clearTimeout(waiting.timer);
    const { button } = waiting;
    waiting = null;
    if (note()) note().hidden = true;
    for (const slot of page.querySelectorAll(".slot")) slot.removeAttribute("aria-disabled");
    if (button.isConnected) button.focus({ preventScroll: true });
  };

  const send = () => {
    const { button } = waiting;
    stop();
    if (button.isConnected) button.form.requestSubmit(button);
  };

  page.addEventListener("click", (event) => {
    if (event.target.closest("[data-cancel]")) return stop();
    const button = event.target.closest(".slot");
    if (!button) return;
    if (waiting || root.classList.contains("resting")) return event.preventDefault();
    if (button.dataset.blind === undefined) return;
    event.preventDefault();
    waiting = { button, timer: setTimeout(send, MOMENT) };
    for (const slot of page.querySelectorAll(".slot")) slot.setAttribute("aria-disabled", "true");
    note().hidden = false;
  });

  page.addEventListener("keydown", (event) => {
    if (event.key === "Escape") stop();
  });

  const rest = () => {
    root.classList.add("resting");
    setTimeout(() => root.classList.remove("resting"), REST);
  };

  self.nightmail.cards = { rest };
})();
