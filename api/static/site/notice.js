// Tells a player in another tab that it is their turn: in the title, in the icon and, if they want,
// with a sound; and marks table talk that they have not read.
"use strict";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page) return;
  const icon = document.querySelector('link[rel="icon"]');
  const quiet = icon && icon.getAttribute("href");
  const title = document.title;
  const kept = {
    get: (name) => {
      try {
        return localStorage.getItem(`nightmail-${name}`);
      } catch {
        return null; // storage can be forbidden
      }
    },
    set: (name, value) => {
      try {
        localStorage.setItem(`nightmail-${name}`, value);
      } catch {
        // then nothing is remembered
      }
    },
  };

  const isMine = () => page.querySelector(".turn.mine") !== null;

  const chime = () => {
    const sound = new AudioContext();
    for (const [pitch, at] of [[660, 0], [880, 0.15]]) {
      const tone = sound.createOscillator();
      const volume = sound.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.15, sound.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + at + 0.4);
      tone.connect(volume).connect(sound.destination);
      tone.start(sound.currentTime + at);
      tone.stop(sound.currentTime + at + 0.4);
    }
  };

  // ---- Talk: the number of messages that came since the talk was last seen.

  const messages = () => page.querySelectorAll("#talk .talk > li").length;
  const name = () => `talk-${page.dataset.game}`;

  const mark = () => {
    const talk = page.querySelector("#talk");
    const number = messages();
    const unread = Math.max(0, number - Number(kept.get(name()) || 0));
    for (const badge of document.querySelectorAll("[data-unread]")) {
      badge.textContent = String(unread);
      badge.hidden = !unread;
    }
    if (talk) watcher.observe(talk);
  };

  const watcher = new IntersectionObserver((entries) => {
    if (document.hidden || !entries.some((entry) => entry.isIntersecting)) return;
    kept.set(name(), String(messages()));
    mark();
  });

  // ---- Turns.

  let mine = isMine();

  const update = () => {
    const now = isMine();
    document.title = now ? `(1) ${title}` : title;
    if (icon && page.dataset.iconMine) icon.href = now ? page.dataset.iconMine : quiet;
    if (now && !mine && document.hidden && kept.get("sound") === "on") chime();
    mine = now;
    watcher.disconnect();
    mark();
    const box = page.querySelector("[data-sound]");
    if (box) box.checked = kept.get("sound") === "on";
  };

  page.addEventListener("change", (event) => {
    if (!event.target.matches("[data-sound]")) return;
    kept.set("sound", event.target.checked ? "on" : "off");
    if (event.target.checked) chime(); // so that it is known, and the browser allows it later
  });

  document.addEventListener("visibilitychange", mark);
  update();

  self.nightmail.notice = { update };
})();
