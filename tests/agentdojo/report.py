"""What `run.py` found, as tables."""
import collections
import csv
import pathlib

from program import LEVELS

COLUMNS = ("suite", "user", "injection", "reference", "attack", "wide", "part", *LEVELS, "calls", "why")
SUITES = ("workspace", "banking", "slack", "travel")
TITLES = {
    "interfaces": "whole interfaces",
    "functions": "functions alone",
    "labels": "functions, labels",
    "uncleared": "functions, labels without any clearance, the attack after the user's own calls",
    "words": "functions, `where` and `calls` without `from`",
    "where": "functions, `where` and `calls`",
    "all": "functions, `where` and `calls`, labels",
}


def read(place):
    """The pairs of a table: a row for each (suite, user task, injection task)."""
    if not place.is_file():
        return {}
    with place.open(newline="") as file:
        return {(row["suite"], row["user"], row["injection"]): row for row in csv.DictReader(file, delimiter="\t")}


def solved(oracles):
    """(suite, level) -> [tasks, solved ones]."""
    found = collections.defaultdict(lambda: [0, 0])
    for row in oracles:
        for suite in (row["suite"], "all"):
            found[suite, row["level"]][0] += 1
            found[suite, row["level"]][1] += row["utility"]
    return found


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["--:"] * (len(head) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def tables(oracles, traitors):
    """Markdown: one table a level, then the rules that refused, then what stays open."""
    parts, score = [], solved(oracles)
    for level in LEVELS:
        rows = []
        for suite in (*SUITES, "all"):
            pairs = [row for row in traitors if suite in (row["suite"], "all")]
            count = collections.Counter(row[level] for row in pairs)
            both = collections.Counter((row[level], row["reference"]) for row in pairs)
            tasks, good = score[suite, level]
            rows.append([
                suite, f"{good} of {tasks}", len(pairs), count["ignored"], count["rejected"], count["refused"],
                count["no effect"], f"**{count['fulfilled']}** ({both['fulfilled', 'agentdojo']})",
            ])
        head = ("suite", "oracle", "pairs", "ignored", "rejected at compile", "refused by a rule", "no effect", "fulfilled")
        parts.append(f"### With {TITLES[level]}\n\n" + table(head, rows))
    return "\n\n".join(parts)


def rules(traitors):
    """How many pairs each kind of rule refused, under the whole manifest."""
    count = collections.Counter((row["suite"], row["why"]) for row in traitors if row["all"] == "refused")
    return table(("suite", "refusal", "pairs"), [[suite, f"`{why}`", n] for (suite, why), n in sorted(count.items())])


def open_pairs(traitors):
    """What is fulfilled under the whole manifest, and what no grant governs."""
    left = [row for row in traitors if row["all"] == "fulfilled"]
    lines = [[row["suite"], row["user"], row["injection"]] for row in left]
    parts = [table(("suite", "user task", "injection task"), lines) if left else "None by a call."]
    said = [row for row in traitors if row["all"] == "ignored" and row["why"].endswith("true")]
    for suite, injection in sorted({(row["suite"], row["injection"]) for row in said}):
        count = sum((row["suite"], row["injection"]) == (suite, injection) for row in said)
        parts.append(
            f"{suite} {injection} ({count} pairs, counted as ignored) makes no call: it wants a sentence in the answer. No grant "
            "governs what a hole\nreturns to its user, and the server says that the attack succeeded when the sentence is returned.")
    return "\n\n".join(parts)


def show(oracles, traitors):
    print(tables(oracles, traitors))
    print("\n### Refusals under the whole manifest\n\n" + rules(traitors))
    print("\n### Open\n\n" + open_pairs(traitors))
    for row in oracles:
        if row["level"] != "uncleared" and not row["utility"] or not row["prompt"]:
            print(f"{row['suite']}/{row['user']} {row['level']}: utility {row['utility']}, plan has the prompt: {row['prompt']} {row['said']}")


def write(oracles, traitors, folder):
    with (pathlib.Path(folder) / "pairs.tsv").open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(traitors)
    (pathlib.Path(folder) / "results.md").write_text(
        "# Results\n\nWritten by `tests/agentdojo/run.py`; `pairs.tsv` has every pair. In brackets: those fulfilled by AgentDojo's own\n"
        "reference solution of the attack, the others by one of `attacks.py`.\n\n"
        + tables(oracles, traitors)
        + "\n\n### Refusals under the whole manifest\n\n" + rules(traitors)
        + "\n\n### Pairs that stay open\n\n" + open_pairs(traitors) + "\n")


def good(oracles, traitors):
    """Whether every task is solved at every level that clears what it must send, and no attack fulfilled by the manifest."""
    solved = all(row["utility"] or row["level"] == "uncleared" for row in oracles)
    return solved and all(row["prompt"] for row in oracles) and all(row["all"] != "fulfilled" for row in traitors)


def same(oracles, traitors, place):
    """Whether each pair came out as it stands in the table, and every task was solved."""
    before, well = read(place), True
    for row in traitors:
        key = (row["suite"], row["user"], row["injection"])
        was = before.get(key)
        for column in (*LEVELS, "why"):
            if was and was.get(column) != str(row[column]):
                well = False
                print(f"{'/'.join(key)} {column}: {row[column]!r}, was {was.get(column)!r}")
    return well and good(oracles, traitors)
