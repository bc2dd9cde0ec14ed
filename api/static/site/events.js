// What has changed on a game page, shown as short movements: a card that goes to the hand, trains
// that are laid, cards that are turned. Nothing moves for people who prefer reduced motion.
"use strict";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page) return;
  const SHORT = 350; // milliseconds
  const LONG = 700;
  const all = (selector) => [...page.querySelectorAll(selector)];
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // What can be seen now, to be compared with what is seen after an update.
  const look = () => ({
    hand: new Map(all("#hand [data-card]").map((card) => [card.dataset.card, card.textContent])),
    laid: new Map(all("#board [data-route]").map((route) => [route.id, route.querySelector("title").textContent])),
    pieces: new Map(all("#board [data-city]").map((city) => [city.id, city.querySelector("title").textContent])),
    market: all(".market .train").map((card) => card.className),
    turned: all(".turned li").map((card) => card.textContent).join(),
    pressed: page.querySelector(".slot.pressed .train")?.getBoundingClientRect(),
  });

  const fly = (card, from) => {
    const to = card.getBoundingClientRect();
    const copy = card.querySelector(".train").cloneNode(true);
    copy.setAttribute("aria-hidden", "true");
    copy.classList.add("flying");
    page.append(copy);
    Object.assign(copy.style, { left: `${to.x}px`, top: `${to.y}px` });
    const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(1.3)`;
    copy.animate([{ transform: start }, { transform: "none" }], { duration: LONG, easing: "ease-in-out" }).finished
      .catch(() => null)
      .then(() => copy.remove());
  };

  const turn = (card) =>
    card.animate([{ transform: "rotateY(90deg)" }, { transform: "none" }], { duration: SHORT, easing: "ease-out" });

  const lay = (drawn) =>
    drawn.animate([{ opacity: 0 }, { opacity: 1 }, { opacity: 0.3 }, { opacity: 1 }], { duration: LONG });

  const changed = (selector, before) =>
    before.size ? all(selector).filter((drawn) => before.get(drawn.id) !== drawn.querySelector("title").textContent) : [];

  // Show what differs from an earlier look.
  const show = (before) => {
    if (still.matches || document.hidden) return;
    for (const card of all("#hand [data-card]")) {
      if (!before.hand.size || before.hand.get(card.dataset.card) === card.textContent) continue;
      if (before.pressed) fly(card, before.pressed);
      else turn(card);
    }
    changed("#board [data-route]", before.laid).forEach(lay);
    changed("#board [data-city]", before.pieces).forEach(lay);
    all(".market .train").forEach((card, n) => {
      if (before.market.length && before.market[n] !== card.className) turn(card);
    });
    const turned = all(".turned li");
    if (turned.map((card) => card.textContent).join() !== before.turned) turned.forEach(turn);
  };

  self.nightmail.events = { look, show };
})();
