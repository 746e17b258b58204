// What the page is, its keys, and what is on this device.

import { h } from "./dom.js";

/** @typedef {{name: string, bytes: number, kept: boolean}} Kept */

/** @param {number} bytes */
function size(bytes) {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {() => Promise<{works: boolean, tables: Kept[]}>} look What is on this device.
 * @param {(progress: (text: string) => void) => Promise<void>} keep Put all tables there.
 */
export function openAbout(dialog, look, keep) {
  const list = h("ul", { class: "kept" });
  const note = h("p", { role: "status" }, "Looking …");
  const button = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "plain", hidden: true, onclick: keepAll }, "Keep all tables on this device"));

  async function show() {
    const { works, tables } = await look();
    list.replaceChildren(...tables.map(({ name, bytes, kept }) => h("li", {},
      h("span", {}, name), h("span", {}, size(bytes)), h("b", { class: kept ? "good" : "" }, kept ? "here" : "not yet"))));
    const missing = tables.filter(({ kept }) => !kept).reduce((sum, { bytes }) => sum + bytes, 0);
    note.textContent = works
      ? missing ? "The page works offline. Tables that are not here yet come when they are needed, with a network." : "Everything is on this device: no network is needed."
      : "This browser, or this address without https, keeps nothing for offline use.";
    button.hidden = !works || !missing;
    button.textContent = `Keep all tables on this device (${size(missing)})`;
  }
  async function keepAll() {
    button.disabled = true;
    try {
      await keep((text) => { note.textContent = text; });
      await show();
    } catch (error) {
      note.textContent = `That did not work: ${error instanceof Error ? error.message : error}`;
    }
    button.disabled = false;
  }

  dialog.replaceChildren(h("div", { class: "about" },
    h("h2", { id: "about-title" }, "Should I roll?"),
    h("p", {}, "Tap what lies on the table. The page looks the position up in tables of exact solutions, or solves the turn from them, in this browser: nothing is sent anywhere."),
    h("h3", {}, "Offline"), note, list, button,
    h("h3", {}, "Keys"),
    h("dl", { class: "keys" },
      ...[key(["T", "R", "H", "C", "K"], "a Martian die"), key(["1", "–", "6"], "a die"), key(["Backspace"], "take the last tap back"),
      key(["Enter"], "do what is advised"), key(["U"], "undo"), key(["V"], "review"), key(["N"], "new game")].flat()),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "strong", onclick: () => dialog.close() }, "Close"))));
  dialog.setAttribute("aria-labelledby", "about-title");
  dialog.showModal();
  show();
}

/** @param {string[]} keys @param {string} what */
function key(keys, what) {
  return [h("dt", {}, keys.map((name) => (name === "–" ? " to " : h("kbd", {}, name)))), h("dd", {}, what)];
}
