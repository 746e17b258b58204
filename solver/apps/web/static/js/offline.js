// The page and its tables on this device: what the service worker keeps.

const TABLES = "tables"; // the cache of that name in sw.js

/** Start the service worker, where there can be one. */
export async function startWorker() {
  if (!("serviceWorker" in navigator)) return false;
  try {
    await navigator.serviceWorker.register("sw.js");
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether tables can be kept here. Without https, and in private windows of some browsers, not.
 */
export function canKeep() {
  return "serviceWorker" in navigator && "caches" in globalThis;
}

/** @param {URL} url */
export async function isKept(url) {
  if (!("caches" in globalThis)) return false;
  return (await (await caches.open(TABLES)).match(url.href)) !== undefined;
}

/**
 * Put files on this device.
 * @param {URL[]} urls
 * @param {(done: number) => void} [progress]
 */
export async function keep(urls, progress) {
  if (!canKeep()) return;
  const cache = await caches.open(TABLES);
  let done = 0;
  for (const url of urls) {
    if (!(await cache.match(url.href))) await cache.add(url.href);
    done += 1;
    progress?.(done);
  }
}
