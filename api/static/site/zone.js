// Fills in the browser's time zone in forms, so that deadlines are shown in local time.
"use strict";

for (const form of document.querySelectorAll("form[data-zone]")) {
  form.elements.time_zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
