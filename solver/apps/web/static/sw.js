// Keeps the page and its tables on the device. A classic script: module workers are not everywhere.

/** The page's files and the digest of their content; written by solver/apps/web/shell.py. */
const SHELL = {"version": "ab750d7e453bed61", "files": ["css/page.css", "css/theme.css", "icons/icon-192.png", "icons/icon-512.png", "icons/icon.svg", "index.html", "js/advisor/advise.js", "js/advisor/death-round.js", "js/advisor/explain.js", "js/advisor/one-turn.js", "js/advisor/race.js", "js/advisor/rounds.js", "js/advisor/values.js", "js/app.js", "js/core/dice.js", "js/core/exact.js", "js/core/fractions.js", "js/core/npy.js", "js/core/tables.js", "js/core/turn.js", "js/games.js", "js/main.js", "js/offline.js", "js/question.js", "js/review/review.js", "js/review/steps.js", "js/review/text.js", "js/review/values.js", "js/rules/alien-crew.js", "js/rules/martian-dice.js", "js/rules/martians-fights.js", "js/rules/position.js", "js/track/address.js", "js/track/alien-crew.js", "js/track/game.js", "js/track/history.js", "js/track/log.js", "js/track/martian-dice.js", "js/track/martians-fights.js", "js/view/about.js", "js/view/advice.js", "js/view/dice.js", "js/view/dom.js", "js/view/review.js", "js/view/scores.js", "js/view/settings.js", "js/view/start.js", "js/view/table.js", "js/view/theme.js", "js/view/words.js", "manifest.webmanifest"]};
const TABLES = "tables"; // the cache of that name in js/offline.js
const CACHE = `page-${SHELL.version}`;
const TABLE = /\/tables\/.+\.npy$/;
const MANIFEST = /\/tables\/MANIFEST\.json$/;

self.addEventListener("install", (event) => {
  const files = ["./", ...SHELL.files].map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("page-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  if (TABLE.test(url.pathname)) event.respondWith(keptForEver(request));
  else if (MANIFEST.test(url.pathname)) event.respondWith(newest(request));
  else if (isShell(url, scope)) event.respondWith(ofTheShell(request, url));
});

/** Whether a file is the page's own. @param {URL} url @param {URL} scope */
function isShell(url, scope) {
  const path = url.pathname.slice(scope.pathname.length);
  return path === "" || SHELL.files.includes(path);
}

/** The page's files come from one version. */
async function ofTheShell(request, url) {
  const cache = await caches.open(CACHE);
  return (await cache.match(url.origin + url.pathname)) ?? fetch(request);
}

/** A table's file never changes: its name carries its hash. */
async function keptForEver(request) {
  const cache = await caches.open(TABLES);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) await cache.put(request.url, response.clone()).catch(() => undefined); // a full disk
  return response;
}

/** What tables there are: from the network, or as last seen; what is no longer named is let go. */
async function newest(request) {
  const cache = await caches.open(TABLES);
  try {
    const response = await fetch(request);
    if (response.status === 200) {
      await cache.put(request.url, response.clone());
      await letGo(cache, request.url, await response.clone().json());
    }
    return response;
  } catch (error) {
    const kept = await cache.match(request.url);
    if (kept) return kept;
    throw error;
  }
}

async function letGo(cache, manifest, { tables }) {
  const named = new Set([manifest]);
  for (const { files } of Object.values(tables)) {
    for (const { path } of Object.values(files)) named.add(new URL(path, manifest).href);
  }
  const gone = (await cache.keys()).filter(({ url }) => !named.has(url) && url.startsWith(new URL("./", manifest).href));
  await Promise.all(gone.map((request) => cache.delete(request)));
}
