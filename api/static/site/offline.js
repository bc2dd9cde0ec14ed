// A service worker with one task: without a network, a page that is opened says so.
// It stores nothing but that page and its style; every other request goes past it.
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
