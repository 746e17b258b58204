// The page: one tracked game, drawn again after every tap.

import { Advisor } from "./advisor/advise.js";
import { Tables } from "./core/tables.js";
import { GAMES } from "./games.js";
import { canKeep, isKept, keep } from "./offline.js";
import { aimInstead, answeredBy, question, wanted } from "./question.js";
import { PositionError } from "./rules/position.js";
import { defaultName, readAddress, writeAddress } from "./track/address.js";
import { History } from "./track/history.js";
import { isCut, keepLog, keptLog, played } from "./track/log.js";
import { correctAside } from "./track/martian-dice.js";
import { withToken } from "./track/martians-fights.js";
import { openAbout } from "./view/about.js";
import { adviceView } from "./view/advice.js";
import { h, icon, refill } from "./view/dom.js";
import { ending, headline, scoreStrip } from "./view/scores.js";
import { openSettings } from "./view/settings.js";
import { startView } from "./view/start.js";
import { tableView } from "./view/table.js";
import { verdict } from "./view/words.js";

/** @typedef {import("./track/game.js").Track} Track */
/** @typedef {import("./track/game.js").TrackedGame} TrackedGame */
/** @typedef {import("./advisor/advise.js").Asked} Asked */

/** Policy tables up to this size are fetched in the background, unless data is to be saved. */
const BACKGROUND = 16e6;

/** @param {string} id */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

export class App {
  /** @param {URL[]} places Where tables may be. */
  constructor(places) {
    this.places = places;
    this.advisor = new Advisor(new Tables([]));
    this.history = new History();
    /** @type {Track|null} */
    this.track = null;
    /** Whether the last thing used was no key. */
    this.pointing = true;
    /** What to say above the advice. @type {string|null} */
    this.notice = null;
    /** @type {import("./advisor/advise.js").Advice|null} */
    this.advice = null;
    /** Whether the review is shown in the place of the game. */
    this.reviewing = false;
    /** Whether tables are kept on this device as they come. */
    this.keeping = false;
    this.opened = this.open();
  }

  async open() {
    try {
      this.advisor = new Advisor(await Tables.open(this.places));
    } catch (error) {
      this.notice = `${message(error)}. Turns are solved here from the rules, for points.`;
    }
  }

  async start() {
    await this.opened;
    this.fromAddress();
    addEventListener("hashchange", () => {
      if (location.hash !== this.written) this.fromAddress();
    });
    document.addEventListener("keydown", (event) => {
      this.pointing = false;
      this.onKey(event);
    });
    document.addEventListener("pointerdown", () => { this.pointing = true; });
    element("undo").addEventListener("click", () => this.undo());
    element("share").addEventListener("click", () => this.share());
    element("new").addEventListener("click", () => this.leave());
    element("review").addEventListener("click", () => this.showReview(!this.reviewing));
    element("rules").addEventListener("click", () => this.settings());
    element("about").addEventListener("click", () => this.about());
    element("brand").addEventListener("click", (event) => {
      event.preventDefault();
      this.leave();
    });
  }

  /** Show the game that the address tells of. */
  fromAddress() {
    this.history.clear();
    this.trouble = null;
    try {
      this.reviewing = false;
      this.track = readAddress(location.hash, GAMES);
      const log = this.track && keptLog(location.hash);
      if (this.track && log) this.track = { ...this.track, log };
    } catch (error) {
      if (!(error instanceof PositionError)) throw error;
      this.track = null;
      this.trouble = `This link cannot be followed: ${error.message}.`;
    }
    this.prepare();
    this.draw();
  }

  /** @param {Track} track */
  set(track) {
    if (track === this.track) return;
    if (this.track) this.history.push(this.track);
    this.track = track;
    this.prepare();
    this.draw();
  }

  undo() {
    const before = this.history.pop();
    if (!before) return;
    this.track = before;
    this.prepare();
    this.draw();
    this.say("Taken back.");
  }

  /** Back to the choice of games. */
  leave() {
    if (this.track) this.history.push(this.track);
    this.track = null;
    this.trouble = null;
    this.reviewing = false;
    this.draw();
    element("main").focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** @param {TrackedGame} game @param {number} seats */
  begin(game, seats) {
    this.history.clear();
    const names = Array.from({ length: seats }, (_, i) => defaultName(i, seats));
    this.track = game.create({ rules: {}, names, aim: game.aims(seats)[0] });
    this.prepare();
    this.draw();
    scrollTo(0, 0);
    this.focusOn("#table .face");
  }

  /** Fetch what the game will need, while dice are tapped. */
  async prepare() {
    const { track } = this;
    if (!track || track.over) return;
    const asked = wanted(this.advisor, track);
    if (this.advisor.ready(asked)) return;
    try {
      await this.advisor.prepare(asked, (done, all) => this.progress(done, all));
      if (this.track) this.arrived(asked.round !== undefined);
      if (this.keeping) this.keepSmall().catch(() => undefined); // what came before the worker was in charge
      await this.fetchPolicy(asked);
    } catch (error) {
      this.notice = `${message(error)}.`;
      if (this.track) this.draw();
    }
  }

  /** Draw what could not be answered before, once. @param {boolean} better Whether it replaces another answer. */
  arrived(better) {
    if ((this.advice && !better) || !this.track || !question(this.advisor, this.track)) return;
    this.draw();
    if (this.advice) this.focusOn("#advice .verdict");
  }

  /** Fetch what answers without a solver, unless data is to be saved. @param {Asked} asked */
  async fetchPolicy(asked) {
    const table = this.advisor.table(asked);
    const files = this.advisor.policyFiles(asked);
    const network = /** @type {any} */ (navigator).connection;
    const spare = network?.saveData || ["slow-2g", "2g", "3g"].includes(network?.effectiveType) || network?.type === "cellular";
    if (!table || spare || table.has(files) || table.size(files) > BACKGROUND) return;
    await table.load(files).catch(() => undefined); // what is here answers as well
    if (this.advice) this.draw();
  }

  /** @param {number} done @param {number} all */
  progress(done, all) {
    const place = document.querySelector("#advice .coming");
    if (place && all > 1e6) place.textContent = `Fetching the table: ${Math.round((100 * done) / all)} % of ${(all / 1e6).toFixed(1)} MB`;
  }

  /** @param {string} action */
  choose(action) {
    if (!this.track) return;
    this.set(played(GAMES[this.track.game], this.track, action));
    this.focusOn("#table .face:not([disabled]), #advice .verdict, #advice .again");
  }

  /** Do what is advised: the best option, and what best play does next. */
  follow() {
    const { track, advice } = this;
    if (!track || !advice) return;
    const game = GAMES[track.game];
    const { action, then } = advice.options[0];
    let next = played(game, track, action);
    if (then) next = played(game, next, then);
    this.set(next);
    this.focusOn("#table .face:not([disabled]), #advice .verdict, #advice .again");
  }

  /** Put the focus where the game goes on, for those who play with keys. @param {string} selector */
  focusOn(selector) {
    if (this.pointing || (document.activeElement && document.activeElement !== document.body)) return;
    const found = document.querySelector(selector);
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  }

  draw() {
    const { track } = this;
    const began = performance.now();
    document.body.classList.toggle("playing", Boolean(track));
    document.body.classList.toggle("reviewing", this.reviewing);
    const review = /** @type {HTMLButtonElement} */ (element("review"));
    review.hidden = track?.game === "martians-fights";
    review.setAttribute("aria-pressed", String(this.reviewing));
    for (const id of ["share", "rules", "new", "review"]) /** @type {HTMLButtonElement} */ (element(id)).disabled = !track;
    /** @type {HTMLButtonElement} */ (element("undo")).disabled = !this.history.length;
    this.advice = null;
    if (!track) {
      document.title = "Should I roll?";
      this.write(location.pathname + location.search);
      refill(element("scores"));
      refill(element("table"), this.trouble && h("p", { class: "notice", role: "alert" }, this.trouble), startView(Object.values(GAMES), (game, n) => this.begin(game, n)));
      refill(element("advice"));
      return;
    }
    const game = GAMES[track.game];
    const rules = game.rulesOf(track.rules);
    const asked = question(this.advisor, track);
    let wrong = null;
    try {
      if (asked && this.advisor.ready(asked)) this.advice = this.advisor.advise(asked);
    } catch (error) {
      if (!(error instanceof PositionError)) throw error;
      wrong = `There is no advice here: ${error.message}.`;
    }
    const chances = this.advice?.options[0].win_probability ?? null;
    document.title = `${this.advice ? `${verdict(this.advice.options[0], track)} – ` : ""}${game.title}`;
    refill(element("scores"), h("h1", { class: "headline" }, h("span", { class: "game" }, game.short), h("span", {}, track.over ? "" : headline(track, rules))), scoreStrip(track, chances));
    refill(element("table"), track.over ? null : tableView(track, game.pad(track), {
      tap: (face, by) => this.tap(face, by),
      correct: (open) => this.set(correctAside(track, open)),
      token: (which, by) => this.set(withToken(track, which, by)),
    }, rules));
    refill(element("advice"), this.said(track, wrong), ...(wrong ? [] : this.answer(track, Boolean(asked))));
    this.write(writeAddress(game, track));
    if (track.log) keepLog(location.hash, track.log);
    if (this.reviewing) this.fillReview(track);
    if (!this.reviewing) this.say(this.advice ? `${verdict(this.advice.options[0], track)}. ${this.advice.why}` : "");
    performance.measure("draw", { start: began });
  }

  /** What the player has to know before the advice. @param {Track} track @param {string|null} wrong */
  said(track, wrong) {
    const trouble = [this.notice, wrong].filter(Boolean).join(" ");
    const aim = aimInstead(this.advisor, track);
    return [trouble && h("p", { class: "notice" }, trouble), aim && h("p", { class: "notice quiet" }, aim)];
  }

  /** @param {Track} track @param {boolean} asked @returns {HTMLElement[]} */
  answer(track, asked) {
    if (track.over) {
      const { title, text } = ending(track, GAMES[track.game].rulesOf(track.rules));
      return [h("div", { class: "over" }, icon("flag", "big"), h("h2", {}, title), h("p", {}, text),
        h("button", { type: "button", class: "strong again", data: { key: "again" }, onclick: () => this.again() }, "Play again"),
        track.game !== "martians-fights" && h("button", { type: "button", class: "plain", data: { key: "to-review" }, onclick: () => this.showReview(true) }, "Review the game"))];
    }
    if (this.advice) {
      const asked = GAMES[track.game].position(track);
      const stop = asked?.game.position(asked.told).options.get("stop");
      const act = { follow: () => this.follow(), choose: (/** @type {string} */ action) => this.choose(action) };
      return adviceView(this.advice, track, act, stop?.[0] === "bank" ? Number(stop[1]) : null);
    }
    if (asked) return [h("p", { class: "coming", role: "status" }, this.notice ? "No answer without the table." : "One moment …")];
    return [h("p", { class: "waiting" }, icon("dice", "big"), track.turn.correcting ? "Then roll the rest." : "The advice appears with the last die you tap.")];
  }

  /** The same players and rules from the start. */
  again() {
    const { track } = this;
    if (!track) return;
    const names = track.players.map((player) => player.name);
    this.set(GAMES[track.game].create({ rules: track.rules, names, aim: track.aim }));
  }

  /** Show the review in the place of the game, or the game again. @param {boolean} open */
  showReview(open) {
    if (!this.track || this.reviewing === open) return;
    this.reviewing = open;
    this.draw();
    scrollTo(0, 0);
    if (!open) element("review").focus({ preventScroll: true });
  }

  /** Work out the review, and show it. @param {Track} track */
  async fillReview(track) {
    const place = element("reviewed");
    const close = () => this.showReview(false);
    const current = () => this.track === track && this.reviewing;
    const [{ review }, { reviewView, reviewNote }] = await Promise.all([import("./review/review.js"), import("./view/review.js")]);
    if (!current()) return;
    refill(place, reviewNote("Working out what every decision was worth …", close));
    const title = place.querySelector("h2");
    if (!place.contains(document.activeElement)) title?.focus({ preventScroll: true });
    try {
      const found = await review(this.advisor, track, current);
      if (!found || !current()) return;
      const copy = (/** @type {string} */ text) => this.copy(text);
      refill(place, found.turns.length ? reviewView(found, track, isCut(GAMES[track.game], track), { copy, close })
        : reviewNote("Nothing to review yet: tap a roll, and decide.", close));
      this.say(found.turns.length ? "The review is ready." : "");
    } catch (error) {
      if (current()) refill(place, reviewNote(`The review cannot be worked out: ${message(error)}.`, close));
    }
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.toast("Record copied.");
    } catch {
      const field = /** @type {HTMLTextAreaElement|null} */ (document.querySelector(".record textarea"));
      field?.select();
      this.toast("The record is selected: copy it from there.");
    }
  }

  /** @param {string} face @param {1|-1} by */
  tap(face, by) {
    if (!this.track) return;
    this.lastFace = by > 0 ? face : this.lastFace;
    this.set(GAMES[this.track.game].tap(this.track, face, by));
    if (this.advice) this.focusOn("#advice .verdict");
  }

  /** Put the game into the address, without a step in the browser's history. @param {string} address */
  write(address) {
    this.written = address.startsWith("#") ? address : "";
    if (location.hash !== this.written || !address.startsWith("#")) history.replaceState(null, "", address);
  }

  /** For those who hear the page. @param {string} text */
  say(text) {
    element("announce").textContent = text;
  }

  async share() {
    const url = location.href;
    const coarse = matchMedia("(pointer: coarse)").matches;
    try {
      if (coarse && navigator.share) await navigator.share({ title: document.title, url });
      else {
        await navigator.clipboard.writeText(url);
        this.toast("Link copied: it holds the whole position.");
      }
    } catch {
      this.toast("The address above is the link: copy it from there.");
    }
  }

  /** @param {string} text */
  toast(text) {
    const place = element("toast");
    place.textContent = text;
    place.classList.add("shown");
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => place.classList.remove("shown"), 3000);
  }

  settings() {
    const { track } = this;
    if (!track) return;
    const game = GAMES[track.game];
    const dialog = /** @type {HTMLDialogElement} */ (element("dialog"));
    openSettings(dialog, game, track, (changed, different) => {
      const fresh = different || changed.seat !== track.seat
        ? game.create({ rules: changed.rules, names: changed.players.map((player) => player.name), aim: changed.aim }) : changed;
      const turn = fresh === changed ? changed.turn : this.turnAt(fresh, changed);
      this.set({ ...changed, rules: fresh.rules, turn, over: false, log: different ? undefined : changed.log });
    }, (rules) => answeredBy(this.advisor, { ...track, rules }));
  }

  /** A new turn of the seat on turn. @param {Track} fresh @param {Track} changed */
  turnAt(fresh, changed) {
    const stage = changed.players[changed.seat].stage;
    return fresh.game === "alien-crew" ? { ...fresh.turn, stage: stage ?? 0 } : fresh.turn;
  }

  about() {
    const { tables } = this.advisor.tables;
    const files = tables.filter(({ entry }) => entry.game in GAMES);
    /** @param {import("./core/tables.js").Table} table */
    const urls = (table) => Object.values(table.entry.files).map((file) => new URL(file.path, table.base));
    openAbout(/** @type {HTMLDialogElement} */ (element("dialog")), async () => ({
      works: canKeep(),
      tables: await Promise.all(files.map(async (table) => ({
        name: table.name,
        bytes: table.size(Object.keys(table.entry.files)),
        kept: (await Promise.all(urls(table).map(isKept))).every(Boolean),
      }))),
    }), async (progress) => {
      const all = files.flatMap(urls);
      await keep([...all, ...files.slice(0, 1).map((table) => new URL("MANIFEST.json", table.base))], (done) => progress(`${done} of ${all.length} files are here …`));
    });
  }

  /** Keep the small tables, so that a first visit is enough to go offline. */
  async keepSmall() {
    this.keeping = true;
    const small = this.advisor.tables.tables.filter(({ entry }) => entry.kind === "turn" && entry.game in GAMES);
    const urls = small.flatMap((table) => Object.values(table.entry.files).map((file) => new URL(file.path, table.base)));
    const loaded = this.advisor.tables.tables.flatMap((table) => [...table.arrays.keys()].map((label) => new URL(table.entry.files[label].path, table.base)));
    const manifest = small.slice(0, 1).map((table) => new URL("MANIFEST.json", table.base));
    await keep([...manifest, ...urls, ...loaded]);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { track } = this;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, input, select, summary, textarea")) return;
    const key = event.key.toLowerCase();
    if (this.reviewing) {
      if (key === "v" || key === "escape") this.showReview(false);
      return;
    }
    if (key === "v" && !(/** @type {HTMLButtonElement} */ (element("review")).hidden)) this.showReview(true);
    else if (key === "u") this.undo();
    else if (!track) return;
    else if (key === "n") this.leave();
    else if (key === "enter" && target.closest("button, a") === null) this.follow();
    else if (key === "backspace") this.undo();
    else {
      const face = GAMES[track.game].pad(track)?.faces.find((known) => known.key === key);
      if (!face) return;
      this.tap(face.id, 1);
    }
    event.preventDefault();
  }
}

/** @param {unknown} error */
function message(error) {
  return error instanceof Error ? error.message : String(error);
}
