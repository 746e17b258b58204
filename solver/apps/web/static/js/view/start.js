// The first question: what are you playing, and how many are you?

import { die } from "./dice.js";
import { h, icon } from "./dom.js";

/** @typedef {import("../track/game.js").TrackedGame} TrackedGame */

/** @type {Record<string, () => Node[]>} */
const PICTURE = {
  "martian-dice": () => ["T", "R", "H", "C", "K"].map((face) => die(face, "small")),
  "alien-crew": () => ["6", "5", "4"].map((face) => die(face, "small")),
  "martians-fights": () => [icon("martian", "mark on"), icon("heart", "mark on heart"), icon("bullet", "mark on bullet")],
};

/** @param {TrackedGame[]} games @param {(game: TrackedGame, seats: number) => void} begin */
export function startView(games, begin) {
  return h("div", { class: "start" },
    h("h1", { class: "title" }, "What are you playing?"),
    h("ul", { class: "games" }, games.map((game) => h("li", { class: `card ${game.name}` },
      h("div", { class: "picture", "aria-hidden": "true" }, PICTURE[game.name]()),
      h("h2", {}, game.title),
      h("p", {}, game.about),
      h("div", { class: "seats", role: "group", "aria-label": `${game.title}: how many players?` },
        game.seats.map((n) => h("button", {
          type: "button",
          data: { key: `start-${game.name}-${n}` },
          "aria-label": n === 1 ? `${game.title}, alone` : `${game.title}, ${n} players`,
          onclick: () => begin(game, n),
        }, n > 1 ? n : game.seats.length > 1 ? "Alone" : "Fight")))))));
}
