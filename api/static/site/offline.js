// A service worker with two tasks: without a network, a page that is opened says so; and it shows
// notifications. It stores nothing but that page and its style; other requests go past it.
"use strict";

const STORE = "nightmail-offline-1";
const PAGE = "/offline";

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(STORE).then((store) => store.addAll([PAGE, "/pages.css"])));
});

self.addEventListener("activate", (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  } else if (request.destination === "style") {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});

// A message of the service: what it says is shown, and a click opens the game.
self.addEventListener("push", (event) => {
  const message = event.data ? event.data.json() : {};
  const options = { body: message.body, tag: message.tag, data: { url: message.url }, renotify: Boolean(message.tag) };
  const icons = { icon: "/site/icon-192.png", badge: "/site/icon-192.png" };
  event.waitUntil(self.registration.showNotification(message.title || "Nightmail", { ...options, ...icons }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = new URL(event.notification.data.url || "/games", self.location.origin);
  const address = wanted.origin === self.location.origin ? wanted.href : `${self.location.origin}/games`;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => page.url.split("#")[0] === address);
    return there ? there.focus() : self.clients.openWindow(address);
  };
  event.waitUntil(open());
});
