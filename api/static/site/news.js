// One stream of news for all tabs of a browser, which opens only six connections to a host.
// Runs as a shared worker; where a browser has none, each visible tab runs it for itself.
"use strict";

(() => {
  const SILENCE = 40000; // milliseconds; the server sends a beat every 15 seconds
  const CHECK = 5000;
  const FIRST_RETRY = 1000;
  const LAST_RETRY = 30000;
  const SETTLE = 50; // tabs that open together cause one connection

  // A hub follows the games of its watchers ({ game, send }) on one EventSource, and sends each of
  // them { tag } when its game has changed, { gone } when it can no longer be read, and { live }
  // when the connection is lost or back.
  const makeHub = () => {
    const watchers = new Set();
    let address = "";
    let source = null;
    let followed = "";
    let heard = 0;
    let live = true;
    let retry = FIRST_RETRY;
    let timer = null;

    const games = () => [...new Set([...watchers].map((watcher) => watcher.game))].sort();

    const report = (now) => {
      if (live !== now) for (const watcher of watchers) watcher.send({ live: now });
      live = now;
    };

    const beat = () => {
      heard = Date.now();
      retry = FIRST_RETRY;
      report(true);
    };

    const forward = (event, message) => {
      beat();
      const news = JSON.parse(event.data);
      for (const watcher of watchers) if (watcher.game === news.game) watcher.send(message(news));
    };

    const connectLater = (wait) => {
      clearTimeout(timer);
      timer = setTimeout(connect, wait);
    };

    const connect = () => {
      if (source) source.close();
      source = null;
      followed = games().join();
      if (!followed) return;
      heard = Date.now();
      source = new EventSource(`${address}?${new URLSearchParams(games().map((game) => ["game", game]))}`);
      source.onopen = beat;
      source.addEventListener("beat", beat);
      source.onmessage = (event) => forward(event, ({ tag }) => ({ tag }));
      source.addEventListener("gone", (event) => forward(event, () => ({ gone: true })));
      source.onerror = () => {
        report(false);
        if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
        connectLater(retry);
        retry = Math.min(2 * retry, LAST_RETRY);
      };
    };

    // After sleep, or behind a proxy that has forgotten us, a connection is dead without an error.
    const check = () => {
      if (!source || Date.now() - heard < SILENCE) return;
      report(false);
      connect();
    };

    setInterval(check, CHECK);
    return {
      join: (watcher, at) => {
        address = at;
        watchers.add(watcher);
        if (!live) watcher.send({ live });
        if (games().join() !== followed) connectLater(SETTLE);
      },
      leave: (watcher) => {
        watchers.delete(watcher);
        if (games().join() !== followed) connectLater(SETTLE);
      },
      check,
    };
  };

  // ---- In the shared worker: each tab is a port, which joins, leaves and asks for a check.

  if ("SharedWorkerGlobalScope" in self) {
    const hub = makeHub();
    self.onconnect = ({ ports: [port] }) => {
      const watcher = { game: null, send: (message) => port.postMessage(message) };
      port.onmessage = ({ data }) => {
        if (data.join) {
          watcher.game = data.join;
          hub.join(watcher, data.address);
        }
        if (data.leave) hub.leave(watcher);
        if (data.check) hub.check();
      };
    };
    return;
  }

  // ---- In a page: nightmail.follow(game, address, script, receive).

  const byWorker = (game, address, script, receive) => {
    const { port } = new SharedWorker(script, "nightmail");
    port.onmessage = ({ data }) => receive(data);
    port.start();
    return {
      join: () => port.postMessage({ join: game, address }),
      leave: () => port.postMessage({ leave: true }),
      check: () => port.postMessage({ check: true }),
    };
  };

  const byItself = (game, address, receive) => {
    const hub = makeHub();
    const watcher = { game, send: receive };
    return {
      join: () => hub.join(watcher, address),
      leave: () => hub.leave(watcher),
      check: () => (document.hidden ? hub.leave(watcher) : hub.join(watcher, address)),
    };
  };

  const follow = (game, address, script, receive) => {
    const hub = self.SharedWorker
      ? byWorker(game, address, script, receive)
      : byItself(game, address, receive);
    addEventListener("pageshow", hub.join);
    addEventListener("pagehide", hub.leave);
    addEventListener("online", hub.check);
    document.addEventListener("visibilitychange", hub.check);
    hub.join();
    return () => {
      removeEventListener("pageshow", hub.join);
      hub.leave();
    };
  };

  self.nightmail = { follow };
})();
