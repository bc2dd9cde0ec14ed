// Replay of a game: with a slider, step by step, or by itself.
"use strict";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page) return;
  const find = (selector, within = page) => within.querySelector(selector);
  let site = null; // what site.js does for us: load, swap
  let slides = 0;
  let timer = null;

  // Show the game after a move; return whether the page shows it.
  const goTo = async (at) => {
    const form = find("[data-replay]");
    const slide = ++slides;
    const address = `${form.action}?at=${at}`;
    const text = await site.load(address);
    const fresh = slide === slides && site.swap(text);
    if (!fresh) return false;
    const [range, other] = [page, fresh].map((whole) => find("[data-replay] input", whole));
    if (range && other) {
      range.max = other.max;
      range.value = at;
    }
    history.replaceState(null, "", address);
    return true;
  };

  const play = (on) => {
    const button = find("[data-play]");
    clearTimeout(timer);
    timer = null;
    if (button) button.textContent = on ? button.dataset.pause : button.dataset.play;
    if (on) timer = setTimeout(next, 1000 / Number(find("[data-speed]").value));
  };

  const next = async () => {
    const range = find("[data-replay] input");
    const at = range ? Number(range.value) + 1 : Infinity;
    const going = range && at <= Number(range.max) && (await goTo(at).catch(() => false));
    if (timer !== null) play(going && at < Number(range.max));
  };

  page.addEventListener("click", async (event) => {
    const step = event.target.closest("#replay .steps a");
    const button = event.target.closest("[data-play]");
    if (step && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      const { max } = find("[data-replay] input");
      const at = new URL(step.href).searchParams.get("at") || max;
      event.preventDefault();
      play(false);
      await goTo(at).catch(() => location.assign(step.href));
    }
    if (!button) return;
    const range = find("[data-replay] input");
    if (timer === null && range.value === range.max) await goTo(0).catch(() => null);
    play(timer === null);
  });

  page.addEventListener("input", async (event) => {
    if (!event.target.matches("[data-replay] input")) return;
    play(false);
    await goTo(event.target.value).catch(() => null);
  });

  self.nightmail.replay = {
    use: (functions) => {
      site = functions;
    },
  };
})();
