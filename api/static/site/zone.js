// Notes the browser's time zone in forms, so that deadlines are told by the reader's own clock.
"use strict";

for (const form of document.querySelectorAll("form[data-zone]")) {
  form.elements.time_zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
