// What was pressed while the server could not be reached: it is kept as long as the page is open,
// said to be unsent, can be called off, and is sent as soon as the server answers again. A choice is
// sent only while its decision is still the one that is asked; the form names the version that the
// page showed, so that it is played once at most, also if only the answer had been lost.
"use strict";

(() => {
  const page = document.querySelector("[data-live]");
  if (!page) return;
  const RETRY = 2000; // milliseconds
  let kept = []; // { address, body, decision, talk, what }
  let timer = null;
  let trying = false;
  let site = null; // what site.js does for us: load, open, decision, tell, sent

  const line = () => page.querySelector("[data-unsent]");

  const show = () => {
    const note = line();
    if (!note) return;
    note.hidden = !kept.length;
    note.querySelector("[data-what]").textContent = kept.map(({ what }) => what).join("; ");
  };

  const later = (wait) => {
    clearTimeout(timer);
    timer = kept.length ? setTimeout(retry, wait) : null;
  };

  const keep = (entry) => {
    kept = [...kept.filter(({ address }) => address !== entry.address), entry];
    show();
    later(RETRY);
  };

  const forget = () => {
    kept = [];
    show();
    later(0);
  };

  // Drop a choice whose decision is no longer the one that is asked.
  const check = () => {
    const decision = site.decision();
    const stale = kept.filter((entry) => entry.decision && entry.decision !== decision);
    kept = kept.filter((entry) => !stale.includes(entry));
    show();
    if (stale.length) site.tell(line()?.dataset.changed || "", true);
  };

  const retry = async () => {
    if (trying || !kept.length) return;
    trying = true;
    try {
      // Opening the page calls `check` with what is asked now.
      if (!site.open(await site.load(location.href))) kept = []; // such as signed out meanwhile
      while (kept.length) {
        const [entry] = kept;
        const text = await site.load(entry.address, { method: "POST", body: entry.body });
        kept = kept.filter((other) => other !== entry);
        if (!site.open(text)) kept = [];
        else site.sent(entry);
      }
    } catch {
      // still away
    } finally {
      trying = false;
      show();
      later(RETRY);
    }
  };

  page.addEventListener("click", (event) => {
    if (event.target.closest("[data-unsent-cancel]")) forget();
  });
  addEventListener("online", () => later(0));

  const holds = (address) => kept.some((entry) => entry.address === address);
  const use = (functions) => {
    site = functions;
  };

  self.nightmail.unsent = { use, keep, holds, check, retry };
})();
