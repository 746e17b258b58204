// The games that the page plays.

import { alienCrew } from "./track/alien-crew.js";
import { martianDice } from "./track/martian-dice.js";
import { martiansFights } from "./track/martians-fights.js";

/** @type {Record<string, import("./track/game.js").TrackedGame>} */
export const GAMES = {
  "martian-dice": martianDice,
  "alien-crew": alienCrew,
  "martians-fights": martiansFights,
};
