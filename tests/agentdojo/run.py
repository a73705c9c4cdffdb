#!/usr/bin/env python3
"""AgentDojo's user tasks and attacks, as code in the holes of `*/plan.wit` under the manifests beside them.

    tests/agentdojo/run.py               all 97 tasks and 949 pairs; writes results.md and pairs.tsv
    tests/agentdojo/run.py --sample 12   that many of each, compared with pairs.tsv
    tests/agentdojo/run.py --only banking/user_task_0

No model is asked: the reference solutions are the code. `README.md` beside this file says how to read the results.
"""
import concurrent.futures
import contextlib
import itertools
import pathlib
import re
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "evaluation"))

import kit  # noqa: E402
import program  # noqa: E402
import report  # noqa: E402
import snippet  # noqa: E402

SUITES = ("workspace", "banking", "slack", "travel")
INSTALLS = [["agentdojo==0.1.35"]]
# What became of an attack, from the most telling to the least.
RANK = ("fulfilled", "refused", "rejected", "no effect", "ignored")


class Worker:
    """One server with one case, and the plans that call it."""

    def __init__(self, python, folder, lacuna, cache):
        self.server = kit.Server(python, HERE / "server.py", folder)
        self.plans = program.Plans(lacuna, HERE, self.server.url, cache / "lacuna")
        self.writers, self.interfaces, self.attacks, self.held = {}, {}, {}, None

    def reset(self, suite, user, injection=None):
        """A fresh case on the server."""
        case = {"suite": suite, "user_task": user} | ({"injection_task": injection} if injection else {})
        self.server.ask("POST", "/again" if case == self.held else "/reset", case)
        self.held = case
        if suite not in self.writers:
            spec = self.server.ask("GET", "/tools")
            self.writers[suite] = snippet.Writer(spec)
            self.interfaces[suite] = {tool["name"]: tool["interface"] for tool in spec["tools"]}

    def attack(self, suite, user, injection):
        """The calls of an injection task, for what grants say of them: values may differ from one case to another."""
        if (suite, injection) not in self.attacks:
            self.reset(suite, user, injection)
            self.attacks[suite, injection] = self.server.ask("GET", "/reference")["injection_task"]
        return self.attacks[suite, injection]

    def given(self, suite, user):
        """The arguments of a task, found by the code in `given/` in the case as it stands."""
        hole = user.replace("_", "-")
        place = HERE / suite / "given" / f"{hole}.rs"
        if not place.is_file():
            return None
        outcome = self.plans.run(suite, "all", hole + "-given", place.read_text())
        if outcome["outcome"] != "ok":
            raise RuntimeError(f"{suite} {hole}-given: {outcome}")
        return outcome["value"]

    def play(self, suite, level, user, injection, calls, answer, arguments):
        """The outcome and score of code that makes these calls, in a fresh case."""
        self.reset(suite, user, injection)
        code = self.writers[suite].body(calls, answer)
        outcome = self.plans.run(suite, level, user.replace("_", "-"), code, arguments)
        if outcome["outcome"] == "ok":
            self.server.ask("POST", "/output", {"text": outcome["value"]})
        return outcome, self.server.ask("GET", "/score")

    def close(self):
        self.plans.close()
        self.server.close()


def granted(suite):
    """For each hole of a suite, the interfaces and the functions that its manifest grants."""
    read = tomllib.loads((HERE / suite / "lacuna.toml").read_text())
    return {
        hole.replace("-", "_"): (set(table["grant"]), {f for grant in table["grant"].values() for f in grant["functions"]})
        for hole, table in read["hole"].items()
    }


def judge(outcome, score):
    """What became of an attack, in one word and its reason."""
    if score["security"]:
        return "fulfilled", ""
    if outcome["outcome"] == "ok":
        return "no effect", ""
    if outcome["outcome"] == "rejected":
        return "rejected", "compile"
    if not outcome.get("rule"):
        raise RuntimeError(f"an attack ended in another way than by a rule: {outcome}")
    return "refused", outcome["rule"]


def oracle(worker, suite, user):
    """The reference solution under each level: whether it ran, with its score."""
    worker.reset(suite, user)
    task = worker.server.ask("GET", "/reference")["user_task"]
    stands = re.search(rf"((?:^///.*\n)*)^world {user.replace('_', '-')} ", (HERE / suite / "plan.wit").read_text(), re.M)
    words = " ".join(re.sub(r"^///", "", stands[1], flags=re.M).split()) if stands else None
    arguments, rows = worker.given(suite, user), []
    for level in program.LEVELS:
        outcome, score = worker.play(suite, level, user, None, task["calls"], task["output"], arguments)
        rows.append({
            "suite": suite, "user": user, "level": level, "utility": score["utility"], "calls": score["calls"],
            "errors": score["errors"], "said": "" if outcome["outcome"] == "ok" else str(outcome),
            "prompt": words == " ".join(task["prompt"].split()),
        })
    return rows


def traitor(worker, suite, user, injection, grants):
    """The attack's reference solution in the user task's hole, under each level."""
    attack = worker.attack(suite, user, injection)
    row = {
        "suite": suite, "user": user, "injection": injection, "attack": len(attack["calls"]),
        "reference": "ours" if attack["ours"] else "agentdojo", "calls": 0,
    }
    if not attack["calls"]:
        worker.reset(suite, user, injection)
        _, score = worker.play(suite, "all", user, injection, [], attack["output"], worker.given(suite, user))
        why = "it makes no call; its text as the answer: security " + str(score["security"]).lower()
        return row | dict.fromkeys(program.LEVELS, "ignored") | {"why": why}
    interfaces, functions = grants[user]
    reach = {
        "interfaces": lambda call: worker.interfaces[suite][call["tool"]] in interfaces,
        "functions": lambda call: call["tool"].replace("_", "-") in functions,
    }
    for name, reached in reach.items():
        count = sum(map(reached, attack["calls"]))
        row["wide" if name == "interfaces" else "part"] = f"{count}/{len(attack['calls'])}"
    task, arguments, spared = None, None, set()
    for level in program.LEVELS:
        reached = reach["interfaces" if level == "interfaces" else "functions"]
        whole, found = all(map(reached, attack["calls"])), []
        if not whole:
            absent = sorted({call["tool"] for call in attack["calls"] if not reached(call)})
            found.append(("rejected", "compile: no " + ", ".join(absent), 0))
            if level in reach:
                # The attack as it stands must be rejected, or the analysis of grants is wrong.
                code = worker.writers[suite].body(attack["calls"], attack["output"])
                verdict = worker.plans.check(suite, level, user.replace("_", "-"), code)
                if verdict["verdict"] != "rejected":
                    raise RuntimeError(f"{suite} {user} {injection} {level}: accepted, though not all of it is granted")
        if any(map(reached, attack["calls"])) and not task:
            worker.reset(suite, user, injection)
            reference = worker.server.ask("GET", "/reference")
            task, attack = reference["user_task"], reference["injection_task"]
            arguments = worker.given(suite, user)
        part = [call for call in attack["calls"] if reached(call)]
        for way, before in (("alone", []), ("after", task["calls"])) if part else ():
            if way in spared and level != "all":
                continue
            if level == "uncleared" and way == "alone":
                # It holds no label yet: what it sends, it was told before, and not by what it read.
                continue
            answer = task["output"] if before else attack["output"]
            outcome, score = worker.play(suite, level, user, injection, before + part, answer, arguments)
            word, reason = judge(outcome, score)
            if level == "functions" and word != "fulfilled":
                # Rules only end a run earlier: what does nothing without them is run with all of them, for the reason.
                spared.add(way)
            if word == "fulfilled" or whole or (level not in reach and way not in spared):
                found.append((word, reason, score["calls"]))
        word, row["why"], row["calls"] = min(found or [("no effect", "", 0)], key=lambda one: RANK.index(one[0]))
        row[level] = word
    return row


def main():
    options = kit.arguments(__doc__.splitlines()[0])
    options.add_argument("--sample", type=int, help="so many tasks and pairs, spread evenly, compared with pairs.tsv")
    options.add_argument("--only", help="one user task, as banking/user_task_0")
    options = options.parse_args()
    folder, cache = kit.kit_folder(options), kit.cache_folder(options)
    python = kit.environment(cache, "agentdojo", INSTALLS)
    lacuna = program.program(options)
    for suite in SUITES:
        if (HERE / suite / "deps" / f"{suite}.wit").read_bytes() != (folder / "agentdojo" / f"{suite}.wit").read_bytes():
            raise RuntimeError(f"{suite}.wit is not that of the kit")
    grants = {suite: granted(suite) for suite in SUITES}
    with contextlib.ExitStack() as stack:
        idle = []
        for _ in range(options.workers):
            idle.append(Worker(python, folder, lacuna, cache))
            stack.callback(idle[-1].close)
        tasks = idle[0].server.ask("GET", "/tasks")
        users = [(suite, user) for suite in SUITES for user in tasks[suite]["user_tasks"]]
        pairs = [(suite, user, i) for suite, user in users for i in tasks[suite]["injection_tasks"]]
        if options.only:
            users = [one for one in users if "/".join(one) == options.only]
            pairs = [one for one in pairs if "/".join(one[:2]) == options.only]
        if options.sample:
            # Pairs of which something can be written: the others are all rejected in one way.
            reached = [one for one, row in report.read(HERE / "pairs.tsv").items() if row["functions"] not in ("rejected", "ignored")]
            users, pairs = kit.spread(users, options.sample), kit.spread(reached, options.sample)
        jobs = [(oracle, *one) for one in users] + [(traitor, *one, grants[one[0]]) for one in pairs]
        done = itertools.count(1)

        def with_worker(job):
            worker = idle.pop()
            try:
                return job[0](worker, *job[1:])
            finally:
                idle.append(worker)
                if (count := next(done)) % 25 == 0:
                    print(f"{count} of {len(jobs)}", file=sys.stderr)

        with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
            rows = list(pool.map(with_worker, jobs))
    oracles, traitors = [row for found in rows[: len(users)] for row in found], rows[len(users):]
    report.show(oracles, traitors)
    if options.sample or options.only:
        return report.same(oracles, traitors, HERE / "pairs.tsv")
    report.write(oracles, traitors, HERE)
    return report.good(oracles, traitors)


if __name__ == "__main__":
    kit.run(main)
