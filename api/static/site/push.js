// Asks the browser for a push subscription, and sends it with the form “Notify this device”.
"use strict";

(async () => {
  const form = document.querySelector("form[data-push]");
  if (!form || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  document.querySelector("[data-push-unable]").hidden = true;
  form.hidden = false;

  const problem = form.querySelector("[data-push-problem]");
  const show = (text) => {
    problem.textContent = text;
    problem.hidden = false;
  };

  // The server's key, from base64url.
  const key = () => {
    const text = atob(form.dataset.key.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  };

  const subscribed = async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: key() };
    try {
      return await pushManager.subscribe(options);
    } catch (error) {
      // A subscription with another key, such as that of a service that was here before.
      const before = await pushManager.getSubscription();
      if (!before) throw error;
      await before.unsubscribe();
      return pushManager.subscribe(options);
    }
  };

  form.addEventListener("submit", async (event) => {
    if (form.elements.endpoint.value) return;
    event.preventDefault();
    problem.hidden = true;
    if ((await Notification.requestPermission()) !== "granted") return show(form.dataset.denied);
    try {
      const { endpoint, keys } = (await subscribed()).toJSON();
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.elements.endpoint.value = endpoint;
    } catch (error) {
      return show(error.message);
    }
    form.submit();
  });
})();
