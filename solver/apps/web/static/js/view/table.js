// What lies on the table: dice set aside, dice to tap, tokens.

import { asideSummary } from "../track/martian-dice.js";
import { crewSummary } from "../track/alien-crew.js";
import { die, keypad, place, tapped } from "./dice.js";
import { h, icon } from "./dom.js";
import { counted } from "./words.js";

/** @typedef {import("../track/game.js").Track} Track */
/**
 * @typedef {object} TableActions
 * @property {(face: string, by: 1|-1) => void} tap
 * @property {(open: boolean) => void} correct
 * @property {(which: "lives"|"bullets", by: 1|-1) => void} token
 */

/**
 * @param {Track} track
 * @param {import("../track/game.js").Pad|null} pad
 * @param {TableActions} act
 * @param {any} game Its rules.
 * @returns {HTMLElement[]}
 */
export function tableView(track, pad, act, game) {
  const above = track.game === "martian-dice" ? aside(track, act)
    : track.game === "alien-crew" ? crew(track) : tokens(track, act, game);
  return [above, ...(pad ? rolled(track, pad, act) : [])];
}

/** @param {Track} track @param {import("../track/game.js").Pad} pad @param {TableActions} act */
function rolled(track, pad, act) {
  const done = pad.of - pad.missing;
  const open = Boolean(track.turn.correcting);
  if (!pad.missing && !open) {
    return [h("div", { class: "tray line", title: "Tap a die to take it back" }, h("h2", {}, "Rolled"), tapped(pad, act.tap))];
  }
  const progress = `${pad.missing} more of ${pad.of}`;
  return [
    h("div", { class: "ask" },
      h("h2", {}, pad.ask),
      h("p", { class: "progress", style: { "--part": pad.of ? (done / pad.of).toFixed(3) : "0" } },
        pad.of === 1 ? "" : open ? `${done} set aside` : progress)),
    keypad(pad, act.tap),
    ...(open ? [h("button", { type: "button", class: "plain wide", data: { key: "aside-done" }, onclick: () => act.correct(false) }, "Done: roll the rest")] : []),
  ];
}

/** @param {Track} track @param {TableActions} act */
function aside(track, act) {
  const { aside: counts, points, heads, short, left } = asideSummary(track);
  const faces = Object.entries(counts).filter(([, count]) => count);
  const state = short ? `${counted(short, "ray")} short: worth nothing` : heads ? `worth ${counted(points, "point")}` : "nothing to score yet";
  return h("div", { class: "tray" },
    h("div", { class: "tray-head" },
      h("h2", {}, "Set aside"),
      faces.length > 0 && h("p", { class: short ? "bad" : "good" }, state),
      !track.turn.correcting && h("button", {
        type: "button", class: "link", data: { key: "aside-edit" }, "aria-label": "Correct the dice set aside", onclick: () => act.correct(true),
      }, icon("pen"), " Edit")),
    faces.length
      ? h("ul", { class: "groups", "aria-label": "Dice set aside" }, faces.map(([face, count]) => h("li", {}, die(face, "small"), h("b", {}, `× ${count}`))),
        h("li", { class: "left" }, left ? `${left} left` : "none left"))
      : h("p", { class: "hint" }, track.turn.correcting ? "Tap what is set aside." : "Nothing yet. Mid-turn? Tap Edit."));
}

/** @param {Track} track */
function crew(track) {
  const { stage, kept, throws, number, all } = crewSummary(track);
  const names = ["Ship", "Captain", "Mate"];
  return h("div", { class: "tray" },
    h("div", { class: "tray-head" },
      h("h2", {}, `Throw ${number} of ${all}`),
      h("p", {}, throws ? `${counted(throws, "throw")} after this one` : "the last one")),
    h("ul", { class: "trio", "aria-label": "Set aside" },
      names.map((name, i) => h("li", { class: i < stage ? "on" : "" },
        i < stage ? die(String(6 - i), "small") : place("small"),
        h("span", {}, name), h("span", { class: "sr" }, i < stage ? "set aside" : "missing"))),
      kept.length > 0 && h("li", { class: "on crew" },
        h("span", { class: "pair" }, kept.map((face) => die(String(face), "small"))), h("span", {}, "Crew"))));
}

/** @param {Track} track @param {TableActions} act @param {any} game */
function tokens(track, act, game) {
  const { lives, bullets, using, left } = track.turn;
  /** @param {"lives"|"bullets"} which @param {string} name @param {number} count */
  const row = (which, name, count) => h("div", { class: "tokens" },
    h("span", { class: "label" }, name),
    h("button", { type: "button", class: "less", data: { key: `${which}-less` }, "aria-label": `One ${name.toLowerCase().slice(0, -1)} token less`, onclick: () => act.token(which, -1) }, "−"),
    h("span", { class: `marks ${which}`, role: "img", "aria-label": `${count} of 5` },
      [1, 2, 3, 4, 5].map((n) => icon(which === "lives" ? "heart" : "bullet", `mark ${n <= count ? "on" : ""}`))),
    h("button", { type: "button", class: "less", data: { key: `${which}-more` }, "aria-label": `One ${name.toLowerCase().slice(0, -1)} token more`, onclick: () => act.token(which, 1) }, "+"));
  const beaten = game.fights - left;
  return h("div", { class: "tray" },
    h("div", { class: "tray-head" },
      h("h2", {}, "Your tokens"),
      h("p", {}, using && using !== "none" ? `weapon: ${using}` : `${beaten} beaten, ${left} to go`)),
    row("lives", "Lives", lives),
    row("bullets", "Bullets", bullets),
    h("div", { class: "martians", role: "img", "aria-label": `${beaten} of ${game.fights} Martians beaten` },
      Array.from({ length: game.fights }, (_, i) => icon("martian", `mark ${i < beaten ? "off" : "on"}`))));
}
