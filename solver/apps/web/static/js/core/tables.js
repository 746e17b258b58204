// The committed tables, fetched when they are needed and checked byte for byte.

import { readNpy } from "./npy.js";

/** @typedef {import("./npy.js").NpyArray} NpyArray */
/** @typedef {Record<string, number|string>} Rules */

/**
 * One table as MANIFEST.json describes it.
 * @typedef {object} TableEntry
 * @property {"turn"|"race"} kind
 * @property {string} game
 * @property {Rules} rules
 * @property {string} objective
 * @property {number} seats
 * @property {string} graph
 * @property {"exact"|"bounded"|"equilibrium"} exactness
 * @property {number} error
 * @property {number} bust_error
 * @property {string[]} tags
 * @property {Record<string, {path: string, dtype: string, shape: number[], bytes: number, sha256: string}>} files
 */

/** Told how many of how many bytes are here. @typedef {(done: number, all: number) => void} Progress */

export class TableError extends Error {}

/** One table. */
export class Table {
  /**
   * @param {string} name
   * @param {TableEntry} entry
   * @param {URL} base The directory of MANIFEST.json.
   */
  constructor(name, entry, base) {
    this.name = name;
    this.entry = entry;
    this.base = base;
    /** @type {Map<string, NpyArray>} */
    this.arrays = new Map();
    /** @type {Map<string, Promise<NpyArray>>} */
    this.coming = new Map();
  }

  /** The names of its files that `wanted` picks. @param {(label: string) => boolean} wanted */
  labels(wanted) {
    return Object.keys(this.entry.files).filter(wanted);
  }

  /** How many bytes the files are. @param {string[]} labels */
  size(labels) {
    return labels.reduce((sum, label) => sum + this.entry.files[label].bytes, 0);
  }

  /** Whether all of these are here. @param {string[]} labels */
  has(labels) {
    return labels.every((label) => this.arrays.has(label));
  }

  /**
   * Fetch and check files of the table.
   * @param {string[]} labels
   * @param {Progress} [progress]
   */
  async load(labels, progress) {
    const all = this.size(labels);
    let done = 0;
    await Promise.all(labels.map(async (label) => {
      await this.fetched(label);
      done += this.entry.files[label].bytes;
      progress?.(done, all);
    }));
  }

  /** An array that is here. @param {string} label */
  array(label) {
    const found = this.arrays.get(label);
    if (found === undefined) {
      throw new TableError(`the table ${this.name} has no ${label} here`);
    }
    return found;
  }

  /** @param {string} label */
  fetched(label) {
    let coming = this.coming.get(label);
    if (coming === undefined) {
      coming = this.fetch(label);
      this.coming.set(label, coming);
      coming.catch(() => this.coming.delete(label)); // so that it can be tried again
    }
    return coming;
  }

  /** @param {string} label */
  async fetch(label) {
    const file = this.entry.files[label];
    let response;
    try {
      response = await fetch(new URL(file.path, this.base));
    } catch {
      throw new TableError(`the table ${this.name} is not on this device, and there is no network`);
    }
    if (!response.ok) {
      throw new TableError(`${file.path} could not be had: the server says ${response.status}`);
    }
    const buffer = await response.arrayBuffer();
    if (buffer.byteLength !== file.bytes || !(await isWhole(buffer, file.sha256))) {
      throw new TableError(`the table ${this.name} is damaged: the content of ${file.path} has changed`);
    }
    const array = readNpy(buffer);
    if (array.dtype !== file.dtype || String(array.shape) !== String(file.shape)) {
      throw new TableError(`the table ${this.name} is damaged: ${file.path} holds another array`);
    }
    this.arrays.set(label, array);
    return array;
  }
}

/**
 * Whether bytes have the promised hash. Browsers hash only on https and on the own machine;
 * elsewhere the size and the shape must do.
 * @param {ArrayBuffer} buffer
 * @param {string} sha256
 */
async function isWhole(buffer, sha256) {
  if (!globalThis.crypto?.subtle) return true;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", buffer));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

/** Every table of a site. */
export class Tables {
  /** @param {Table[]} tables */
  constructor(tables) {
    this.tables = tables;
  }

  /**
   * Open the tables at the first of some places that has any.
   * @param {URL[]} places Directories; each ends with a slash.
   */
  static async open(places) {
    let problem = "there is no network";
    for (const place of places) {
      let response;
      try {
        response = await fetch(new URL("MANIFEST.json", place), { cache: "no-cache" });
      } catch {
        continue;
      }
      if (response.ok) {
        const manifest = await response.json();
        if (manifest.schema !== 1) {
          throw new TableError(`the tables are of schema ${manifest.schema}, this page reads 1`);
        }
        const entries = /** @type {[string, TableEntry][]} */ (Object.entries(manifest.tables));
        return new Tables(entries.map(([name, entry]) => new Table(name, entry, place)));
      }
      problem = `the server says ${response.status}`;
    }
    throw new TableError(`the tables could not be had: ${problem}`);
  }

  /**
   * The table of a game's rules, objective and seats. A turn's table answers whatever the match
   * is; a race's only under the same rules.
   * @param {{name: string, rules: Rules, turnRules: Rules}} game
   * @param {string} objective
   * @param {number} seats
   * @returns {Table|null}
   */
  find(game, objective, seats) {
    return this.tables.find(({ entry }) => {
      if (entry.game !== game.name || entry.objective !== objective || entry.seats !== seats) {
        return false;
      }
      const wanted = entry.kind === "turn" ? game.turnRules : game.rules;
      return Object.entries(wanted).every(([key, value]) => entry.rules[key] === value);
    }) ?? null;
  }
}
