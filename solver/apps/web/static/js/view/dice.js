// Dice as one sees them: Martian faces, and pips.

import { h, icon } from "./dom.js";

/** @typedef {import("../track/game.js").Face} Face */

/** @param {string} face */
export function isPips(face) {
  return /^[1-6]$/.test(face);
}

/** A die that shows a face. @param {string} face @param {string} [size] */
export function die(face, size = "") {
  return h("span", { class: `die ${size}`, data: { face } }, icon(isPips(face) ? `d${face}` : `f${face}`, "glyph"));
}

/** An empty place for a die. @param {string} [size] */
export function place(size = "") {
  return h("span", { class: `die empty ${size}` });
}

/** @param {Face} face @param {number} count */
export function spoken(face, count) {
  return `${count} ${face.name}${count === 1 || isPips(face.id) ? "" : "s"}`;
}

/**
 * The dice that were tapped, when none is missing; a tap on one takes it back.
 * @param {import("../track/game.js").Pad} pad
 * @param {(face: string, by: 1|-1) => void} tap
 */
export function tapped(pad, tap) {
  const pips = isPips(pad.faces[0].id);
  const shown = pad.faces.filter((face) => pad.counts[face.id]);
  return h("ul", { class: "groups tapped", "aria-label": "Rolled" }, shown.map((face) => {
    const count = pad.counts[face.id];
    const each = pips ? Array(count).fill(0) : [0];
    return each.map((_, i) => h("li", {}, h("button", {
      type: "button",
      class: "back",
      data: { key: `back-${face.id}-${i}` },
      "aria-label": `${pips ? `a ${face.name}` : spoken(face, count)}: take one back`,
      onclick: () => tap(face.id, -1),
    }, die(face.id, "middle"), !pips && h("b", {}, `× ${count}`))));
  }).flat());
}

/**
 * The faces to tap, each with how often it was tapped, and a way to take one back.
 * @param {import("../track/game.js").Pad} pad
 * @param {(face: string, by: 1|-1) => void} tap
 */
export function keypad(pad, tap) {
  const pips = isPips(pad.faces[0].id);
  return h("div", { class: `pad ${pips ? "six" : "five"}`, role: "group", "aria-label": pad.ask },
    pad.faces.map((face) => {
      const count = pad.counts[face.id];
      const { name } = face;
      return h("div", { class: "key" },
        h("button", {
          type: "button",
          class: "face",
          data: { key: `face-${face.id}`, face: face.id },
          disabled: !pad.missing,
          "aria-label": `${pips ? `a ${name}` : name}, ${count} tapped`,
          "aria-keyshortcuts": face.key,
          onclick: () => tap(face.id, 1),
        }, die(face.id), count > 0 && h("span", { class: "count" }, count)),
        h("span", { class: "name", "aria-hidden": "true" }, pips ? "" : face.short ?? name),
        h("button", {
          type: "button",
          class: "less",
          data: { key: `less-${face.id}` },
          disabled: !count,
          "aria-label": `One ${name} less`,
          onclick: () => tap(face.id, -1),
        }, "−"));
    }));
}
