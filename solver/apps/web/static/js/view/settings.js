// Players, scores, aim and rules, in one dialog.

import { defaultName } from "../track/address.js";
import { h } from "./dom.js";

/** @typedef {import("../track/game.js").Track} Track */
/** @typedef {import("../track/game.js").TrackedGame} TrackedGame */

const AIMS = { win: "the win", points: "the most points", survive: "surviving all fights", kills: "the most Martians" };

/**
 * @param {HTMLDialogElement} dialog
 * @param {TrackedGame} game
 * @param {Track} track
 * @param {(changed: Track, rulesChanged: boolean) => void} done
 * @param {(rules: Track["rules"]) => string} told What answers for these rules.
 */
export function openSettings(dialog, game, track, done, told) {
  const form = /** @type {HTMLFormElement} */ (h("form", { method: "dialog", class: "settings" }));
  const players = game.name === "martians-fights" ? [] : track.players;
  const rules = { ...game.rulesOf(track.rules).rules };
  const note = h("p", { class: "told", role: "status" });

  const read = () => new FormData(form);
  const chosenRules = () => {
    const data = read();
    const official = game.rulesOf({}).rules;
    /** @type {Track["rules"]} */
    const changed = {};
    for (const { name } of game.readings) {
      const value = String(data.get(`rule-${name}`));
      if (value !== String(official[name])) changed[name] = value;
    }
    return changed;
  };
  const tell = () => { note.textContent = told(chosenRules()); };

  form.append(
    h("h2", { id: "settings-title" }, game.title),
    players.length ? seatRows(track, players) : "",
    game.aims(track.players.length).length > 1 ? h("label", { class: "row" }, h("span", {}, "Advice for"),
      h("select", { name: "aim" }, game.aims(track.players.length).map((aim) => h("option", { value: aim, selected: aim === track.aim }, AIMS[aim])))) : "",
    game.name === "alien-crew" ? h("label", { class: "row" }, h("span", {}, "Round"),
      h("input", { type: "number", inputmode: "numeric", name: "round", min: 1, max: 99, value: track.round })) : "",
    h("h3", {}, "Rules"),
    ...game.readings.map((reading) => h("label", { class: "row" }, h("span", {}, reading.label),
      h("select", { name: `rule-${reading.name}`, onchange: tell }, withCurrent(reading.options, rules[reading.name]).map(([value, text]) => h("option", {
        value, selected: String(value) === String(rules[reading.name]),
      }, text))))),
    note,
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, "Cancel"),
      h("button", { type: "submit", class: "strong" }, "Save")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = read();
    const changed = chosenRules();
    const different = JSON.stringify(sorted(changed)) !== JSON.stringify(sorted(ruleTexts(game, track.rules)));
    dialog.close();
    done({
      ...track,
      rules: changed,
      aim: /** @type {Track["aim"]} */ (data.get("aim") ?? track.aim),
      seat: data.has("seat") ? Number(data.get("seat")) : track.seat,
      round: data.has("round") ? Math.max(1, Number(data.get("round")) || 1) : track.round,
      players: track.players.map((player, i) => (players.length ? {
        ...player,
        name: String(data.get(`name-${i}`)).trim().slice(0, 20) || defaultName(i, players.length),
        score: Math.min(999, Math.max(0, Math.floor(Number(data.get(`score-${i}`))) || 0)),
      } : player)),
    }, different);
  });
  dialog.replaceChildren(form);
  dialog.setAttribute("aria-labelledby", "settings-title");
  tell();
  dialog.showModal();
}

/** @param {Track} track @param {Track["players"]} players */
function seatRows(track, players) {
  return h("fieldset", { class: "seat-rows" },
    h("legend", {}, players.length > 1 ? "Players, scores, and who is on turn" : "Your score"),
    players.map((player, i) => h("div", { class: "seat-row" },
      players.length > 1 && h("input", { type: "radio", name: "seat", value: i, checked: i === track.seat, "aria-label": `seat ${i + 1} is on turn` }),
      h("input", { type: "text", name: `name-${i}`, value: player.name, maxlength: 20, autocomplete: "off", "aria-label": `name of seat ${i + 1}` }),
      h("input", { type: "number", inputmode: "numeric", name: `score-${i}`, value: player.score, min: 0, max: 999, "aria-label": `score of seat ${i + 1}` }))));
}

/** The choices, with the one in force if it is none of them. @param {[string|number, string][]} options @param {string|number} now @returns {[string|number, string][]} */
function withCurrent(options, now) {
  return options.some(([value]) => String(value) === String(now)) ? options : [...options, [now, String(now)]];
}

/** Changes to the rules, as texts. @param {TrackedGame} game @param {Track["rules"]} rules */
function ruleTexts(game, rules) {
  const official = game.rulesOf({}).rules;
  return Object.fromEntries(Object.entries(game.rulesOf(rules).rules).filter(([name, value]) => value !== official[name]).map(([name, value]) => [name, String(value)]));
}

/** @param {Record<string, any>} record */
function sorted(record) {
  return Object.entries(record).map(([name, value]) => [name, String(value)]).sort();
}
