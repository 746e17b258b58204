// One turn, solved again and again for other payoffs: the same arrays every time.

import { TIE } from "../core/turn.js";

export class OneTurn {
  /**
   * @param {import("../core/turn.js").TurnGraph} graph Outcomes are [points, stage].
   * @param {number[]} roots Node in which a turn begins, by stage.
   */
  constructor(graph, roots) {
    this.graph = graph;
    this.roots = roots;
    /** @type {[number, number][]} */
    this.outcomes = graph.outcomes;
    const nodes = graph.kind.length;
    this.value = new Float64Array(nodes);
    this.second = new Float64Array(nodes);
    this.reach = new Float64Array(nodes);
    this.chosen = new Int32Array(nodes).fill(-1);
    this.chances = new Float64Array(this.outcomes.length);
  }

  /**
   * Play a turn for a payoff: among equally good options the most expected points, then the first.
   * @param {number} stage Where it begins.
   * @param {ArrayLike<number>} payoffs By outcome.
   * @returns {Float64Array} The chance of each outcome; overwritten by the next turn.
   */
  play(stage, payoffs) {
    const { kind, first, child, probability, outcomeOf, points } = this.graph;
    const { value, second, reach, chosen, chances } = this;
    const root = this.roots[stage];
    for (let node = 0; node <= root; node += 1) {
      const low = first[node];
      const high = first[node + 1];
      reach[node] = 0;
      if (kind[node] === 0) {
        value[node] = payoffs[outcomeOf[node]];
        second[node] = points[outcomeOf[node]];
      } else if (kind[node] === 2) {
        let own = 0;
        let other = 0;
        for (let i = low; i < high; i += 1) {
          own += probability[i] * value[child[i]];
          other += probability[i] * second[child[i]];
        }
        value[node] = own;
        second[node] = other;
      } else {
        const c = this.best(low, high);
        chosen[node] = c;
        value[node] = value[c];
        second[node] = second[c];
      }
    }
    chances.fill(0);
    reach[root] = 1;
    for (let node = root; node >= 0; node -= 1) {
      const here = reach[node];
      if (!here) continue;
      if (kind[node] === 0) chances[outcomeOf[node]] = here;
      else if (kind[node] === 1) reach[chosen[node]] += here;
      else for (let i = first[node]; i < first[node + 1]; i += 1) reach[child[i]] += here * probability[i];
    }
    return chances;
  }

  /** @param {number} low @param {number} high */
  best(low, high) {
    const { child } = this.graph;
    const { value, second } = this;
    let most = -Infinity;
    for (let i = low; i < high; i += 1) if (value[child[i]] > most) most = value[child[i]];
    let points = -Infinity;
    for (let i = low; i < high; i += 1) {
      const c = child[i];
      if (value[c] >= most - TIE && second[c] > points) points = second[c];
    }
    for (let i = low; i < high; i += 1) {
      const c = child[i];
      if (value[c] >= most - TIE && second[c] >= points - TIE) return c;
    }
    return child[low];
  }

  /** All choices of the last turn, to compare policies. */
  choices() {
    return this.chosen.join();
  }
}
