// Start: the page at once, the tables beside it, then what is kept for offline use.

import { App } from "./app.js";
import { startWorker } from "./offline.js";
import { startTheme } from "./view/theme.js";

const base = new URL("./", document.baseURI);
const app = new App([new URL("tables/", base), new URL("v1/tables/", base)]);
startTheme(/** @type {HTMLElement} */ (document.getElementById("theme")));
await app.start();
document.documentElement.dataset.ready = "true";
if (await startWorker()) {
  await navigator.serviceWorker.ready;
  await app.keepSmall().catch(() => undefined); // a full disk must not disturb
  document.documentElement.dataset.kept = "true";
}
