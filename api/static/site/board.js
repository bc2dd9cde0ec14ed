// The board of a game: zoom and pan, and tickets that show their cities and a way between them.
"use strict";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page) return;
  const all = (selector) => [...page.querySelectorAll(selector)];
  const picture = () => page.querySelector("#board svg");

  // ---- Zoom and pan change the view box of the picture; null shows the whole board.

  const MOST = 6;
  const STEP = 1.4;
  const SLACK = 6; // pixels that a press may wander before it is a drag
  let view = null; // { x, y, zoom }: the upper left corner, in units of the picture
  let size = null; // [width, height] of the whole picture

  const measure = (svg) => {
    const [, , width, height] = (svg.dataset.whole || svg.getAttribute("viewBox")).split(" ").map(Number);
    svg.dataset.whole = `0 0 ${width} ${height}`;
    size = [width, height];
  };

  const apply = () => {
    const svg = picture();
    if (!svg) return;
    measure(svg);
    const [width, height] = size;
    if (view && view.zoom <= 1.01) view = null;
    if (view) {
      view.x = Math.min(Math.max(view.x, 0), width - width / view.zoom);
      view.y = Math.min(Math.max(view.y, 0), height - height / view.zoom);
    }
    const box = view ? [view.x, view.y, width / view.zoom, height / view.zoom] : [0, 0, width, height];
    svg.setAttribute("viewBox", box.join(" "));
    svg.closest(".board").classList.toggle("zoomed", view !== null);
  };

  // A point of the screen in units of the picture.
  const at = (x, y) => {
    const matrix = picture().getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : new DOMPoint(0, 0);
  };

  // Zoom by a factor, so that the point of the screen stays where it is.
  const zoom = (by, x, y) => {
    measure(picture());
    const point = at(x, y);
    const old = view || { x: 0, y: 0, zoom: 1 };
    const next = Math.min(Math.max(old.zoom * by, 1), MOST);
    const shrink = old.zoom / next;
    view = { x: point.x - (point.x - old.x) * shrink, y: point.y - (point.y - old.y) * shrink, zoom: next };
    apply();
  };

  const zoomMiddle = (by) => {
    const box = picture().getBoundingClientRect();
    zoom(by, box.x + box.width / 2, box.y + box.height / 2);
  };

  const pan = (dx, dy) => {
    if (!view) return false;
    view.x += dx;
    view.y += dy;
    apply();
    return true;
  };

  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (!button) return;
    if (button.dataset.zoom === "fit") {
      view = null;
      apply();
    } else zoomMiddle(button.dataset.zoom === "in" ? STEP : 1 / STEP);
  });

  // The wheel scrolls the page where it cannot zoom out any further.
  page.addEventListener(
    "wheel",
    (event) => {
      if (!event.target.closest("#board") || (!view && (event.deltaY > 0 || window.scrollY > 0))) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
    },
    { passive: false },
  );

  page.addEventListener("keydown", (event) => {
    if (!event.target.matches("#board") || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = size && view ? size[0] / view.zoom / 8 : 0;
    const keys = {
      "+": () => zoomMiddle(STEP),
      "-": () => zoomMiddle(1 / STEP),
      0: () => (view = null) || apply(),
      ArrowLeft: () => pan(-step, 0),
      ArrowRight: () => pan(step, 0),
      ArrowUp: () => pan(0, -step),
      ArrowDown: () => pan(0, step),
    };
    if (!(event.key in keys) || (event.key.startsWith("Arrow") && !view)) return;
    event.preventDefault();
    keys[event.key]();
  });

  const fingers = new Map();
  let start = null; // where a press began
  let dragged = false;

  page.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#board") || event.button > 0) return;
    fingers.set(event.pointerId, event);
    start = event;
    dragged = false;
  });

  const apart = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

  window.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    if (other) {
      const [x, y] = [(event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2];
      zoom(apart(event, other) / (apart(before, other) || 1), x, y);
      dragged = true;
    } else if (view && (dragged || apart(event, start) > SLACK)) {
      const [from, to] = [at(before.clientX, before.clientY), at(event.clientX, event.clientY)];
      pan(from.x - to.x, from.y - to.y);
      dragged = true;
    } else return;
    fingers.set(event.pointerId, event);
  });

  for (const end of ["pointerup", "pointercancel"]) {
    window.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }

  // A drag is no press.
  page.addEventListener(
    "click",
    (event) => {
      if (dragged && event.target.closest("#board")) event.stopPropagation();
      dragged = false;
    },
    true,
  );

  // ---- Tickets: pointing at one, focusing or pressing it shows it on the board.

  let pinned = null;

  const show = (button) => {
    for (const drawn of all("#board .on-way, #board .at-end")) drawn.classList.remove("on-way", "at-end");
    if (!button) return;
    for (const route of button.dataset.way.split(" ").filter(Boolean)) {
      page.querySelector(`#route-${CSS.escape(route)}`)?.classList.add("on-way");
    }
    for (const city of button.dataset.cities.split(" ").filter(Boolean)) {
      page.querySelector(`#city-${CSS.escape(city)}`)?.classList.add("at-end");
    }
  };

  const ticketOf = (id) => id && page.querySelector(`[data-ticket="${CSS.escape(id)}"]`);

  const press = (id) => {
    pinned = pinned === id ? null : id;
    for (const button of all("button[data-ticket]")) {
      button.setAttribute("aria-pressed", String(button.dataset.ticket === pinned));
    }
    show(ticketOf(pinned));
  };

  page.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-ticket]");
    if (button) press(button.dataset.ticket);
  });

  for (const [event, shown] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
    page.addEventListener(event, ({ target }) => {
      const card = target.closest("[data-ticket]");
      if (card) show(shown ? card : ticketOf(pinned));
    });
  }

  // After an update of the page, the board looks as it did before.
  const restore = () => {
    apply();
    const again = pinned;
    pinned = null;
    if (again && ticketOf(again)) press(again);
  };

  self.nightmail.board = { restore };
})();
