"""Games played by the page's own modules, in a Chromium: random dice, and mistakes now and then."""

from __future__ import annotations

from typing import Any

PLAY = """async ({ game, rules, names, seed, turns, careful, edits }) => {
  const { Tables } = await import('./js/core/tables.js');
  const { Advisor } = await import('./js/advisor/advise.js');
  const { GAMES } = await import('./js/games.js');
  const { played } = await import('./js/track/log.js');
  const { review } = await import('./js/review/review.js');
  const advisor = new Advisor(await Tables.open([new URL('tables/', document.baseURI)]));
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const tracked = GAMES[game];
  let track = tracked.create({ rules, names, aim: tracked.aims(names.length)[0] });
  const points = { objective: 'points' };
  let taken = 0;
  const edit = new Map(edits ?? []);
  while (!track.over && taken < turns) {
    for (let pad = tracked.pad(track); pad?.missing; pad = tracked.pad(track)) {
      const faces = pad.faces.flatMap(({ id }) => (id === 'R' ? [id, id] : [id]));
      track = tracked.tap(track, faces[Math.floor(random() * faces.length)], 1);
    }
    const asked = tracked.position(track);
    const position = asked.game.position(asked.told);
    const actions = [...position.options.keys()];
    let action = actions[Math.floor(random() * actions.length)];
    if (random() < careful) {
      const question = { ...asked, ...points };
      await advisor.prepare(question);
      action = advisor.advise(question).options[0].action;
    }
    const { seat, round } = track;
    track = played(tracked, track, action);
    if (track.seat !== seat || track.round !== round || track.over) {
      taken += 1;
      const scores = edit.get(taken);
      const entered = (player, i) => ({ ...player, score: scores[i] });
      if (scores) track = { ...track, players: track.players.map(entered) };
    }
  }
  const found = await review(advisor, track);
  return { ...found, turns: found.turns.length, cuts: found.turns.map((turn) => turn.cut),
    starts: found.turns.map(({ scores, seat }) => [scores, seat + 1]), over: track.over };
}"""


def play(page: Any, game: str, names: list[str], seed: int, **how: Any) -> Any:
    """Return the review of a game that the page's modules have played, and its record."""
    told = {"rules": {}, "turns": 10_000, "careful": 0.8, "edits": []} | how
    return page.evaluate(PLAY, {"game": game, "names": names, "seed": seed, **told})
