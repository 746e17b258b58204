"""How much the service answers, how fast, and what of that is ours.

    python benchmarks/http/bench_http.py [--rounds 5] [--seconds 3] [--requests 200000]

Client and server are two processes on this machine, over loopback. Three kinds of requests: the
empty route of the same framework and server; advice on random positions of Martian Dice, each of
which is asked for the first time; the same position again and again. They take turns; the best of
several rounds is told, with all rounds beside it, for other work on the machine only ever slows.
Processor time a request is read from the operating system.
"""

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from load import Load

HERE = Path(__file__).parent
ADVICE = "/v1/games/martian-dice/advice"
FACES = "TRRHCK"
GOALS = {"requests a second": 1000, "p99 ms at 500/s": 15, "MiB": 200, "ready s": 2.0}


def random_query(dice):
    """A random legal position: for points, or for the win of two seats."""
    aside, left, told = dict.fromkeys("TRHCK", 0), 13, ""
    while left:
        roll = [dice.choice(FACES) for _ in range(left)]
        counted = {face: roll.count(face) for face in "TRHCK"}
        told = f"aside={spelled(aside)}&roll={spelled(counted)}"
        aside["T"] += counted["T"]
        free = [f for f in "RHCK" if counted[f] and (f == "R" or not aside[f])]
        if not free or dice.random() < 0.3:
            break
        taken = dice.choice(free)
        aside[taken] += counted[taken]
        left = 13 - sum(aside.values())
        told = f"aside={spelled(aside)}"
        if dice.random() < 0.3:
            break
    scores = f"&scores={dice.randrange(25)},{dice.randrange(25)}&seat={dice.randrange(2) + 1}"
    return told + dice.choice(["", scores, scores, scores])


def spelled(counts):
    return "+".join(f"{face}{count}" for face, count in counts.items() if count)


def request(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def start(words, port, path):
    """Start a server; return (process, seconds until `path` was answered with 200)."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", *words, "--port", str(port)], cwd=HERE)
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                if answer.status == 200:
                    return process, time.perf_counter() - began
        except OSError:
            if time.perf_counter() - began > 60 or process.poll() is not None:
                raise
            time.sleep(0.01)


def resident(process):
    """Resident memory in MiB."""
    pages = Path(f"/proc/{process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGESIZE") / 2**20


def processor_seconds(process):
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def closed(process, port, requests, seconds):
    load = Load(port, requests)
    before = processor_seconds(process)
    rate = asyncio.run(load.closed(16, seconds=seconds))
    used = 1e6 * (processor_seconds(process) - before) / len(load.seconds)
    assert set(load.statuses) == {"200"}, load.statuses
    return {
        "requests a second": rate,
        "processor us a request": used,
        "p99 ms": load.percentile(0.99),
        "requests": load.sent,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each round")
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    dice = random.Random(1)  # noqa: S311
    fresh = list({random_query(dice) for _ in range(250_000)})
    dice.shuffle(fresh)
    fresh = [request(f"{ADVICE}?{query}") for query in fresh]
    found = {"different positions": len(fresh), "load average": os.getloadavg()[0]}

    bare, port = free_port(), free_port()
    words = ["uvicorn", "empty:app", "--no-access-log", "--log-level", "warning"]
    empty, _ = start(words, bare, "/")
    server, ready = start(["solver", "serve", "--rate", "0", "--no-log"], port, "/readyz")
    found["ready s"], found["ready, processor s"] = ready, processor_seconds(server)
    try:
        closed(empty, bare, [request("/")], 0.5)
        closed(server, port, fresh[-1000:], 0.5)
        rounds = {name: [] for name in ("empty route", "first asked", "asked again", "at 500/s")}
        at = 0
        for _ in range(told.rounds):
            rounds["empty route"].append(closed(empty, bare, [request("/")], told.seconds))
            rounds["first asked"].append(closed(server, port, fresh[at:], told.seconds))
            at += rounds["first asked"][-1]["requests"]
            rounds["asked again"].append(closed(server, port, fresh[:1], told.seconds))
            half = Load(port, fresh[at:])
            asyncio.run(half.open(16, 500, told.seconds))
            at += half.sent
            latencies = {f"p{p} ms": half.percentile(p / 100) for p in (50, 99)}
            rounds["at 500/s"].append(latencies | {"worst ms": max(half.seconds) * 1000})
        for name, several in rounds.items():
            found[name] = {
                what: (max if what == "requests a second" else min)(r[what] for r in several)
                for what in several[0]
                if what != "requests"
            }
            found[name]["all rounds"] = [round(next(iter(r.values())), 1) for r in several]
        for kind in ("first asked", "asked again"):
            ours, bare_cost = (found[k]["processor us a request"] for k in (kind, "empty route"))
            found[f"{kind} / empty route, processor"] = ours / bare_cost
        found["MiB"] = memory(server, port, fresh, told.requests)
    finally:
        for process in (empty, server):
            process.terminate()
            process.wait()
    print(json.dumps(found, indent=1))
    goals = {
        "requests a second": found["first asked"]["requests a second"],
        "p99 ms at 500/s": found["at 500/s"]["p99 ms"],
        "MiB": max(found["MiB"].values()),
        "ready s": ready,
    }
    for name, reached in goals.items():
        met = reached >= GOALS[name] if name == "requests a second" else reached <= GOALS[name]
        print(f"{'met   ' if met else 'MISSED'} {name}: {reached:.1f}, goal {GOALS[name]}")
    if told.json:
        told.json.write_text(json.dumps(found, indent=1) + "\n")


def memory(server, port, fresh, requests):
    """Resident memory after each fifth of the requests."""
    found = {"at the start": resident(server)}
    for part in range(1, 6):
        load = Load(port, fresh)
        load.sent = (part - 1) * requests // 5
        asyncio.run(load.closed(16, requests=requests // 5))
        found[f"after {part * requests // 5}"] = resident(server)
    return found


if __name__ == "__main__":
    main()
