"""The program under test, run on copies of a plan."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import tomllib

from kit import REPOSITORY, Unavailable

# Which keys of a grant each level leaves out, from the widest grant to the manifest as it stands.
WHERE, LABELS = ("where", "calls"), ("labels", "sends", "clearance")
LEVELS = {
    "interfaces": ("functions", *WHERE, *LABELS),
    "functions": WHERE + LABELS,
    "labels": WHERE,
    # What labels would stop if nothing were cleared, and what it would cost.
    "uncleared": ("clearance", *WHERE),
    # Rules that compare with arguments of the hole, which given code has found, are left out.
    "words": ("from", *LABELS),
    "where": LABELS,
    "all": (),
}


def program(options):
    if options.lacuna:
        return pathlib.Path(options.lacuna).resolve()
    command = ["cargo", "build", "--quiet", "-p", "lacuna", "--message-format=json"]
    built = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "lacuna":
            return pathlib.Path(message["executable"])
    raise Unavailable("cargo has built no program named lacuna")


def toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        # TOML's basic strings escape as JSON's do, but for DEL, which no manifest here has.
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def without_from(rules):
    rules = {path: {test: value for test, value in rule.items() if test != "from"} for path, rule in rules.items()}
    return {path: rule for path, rule in rules.items() if rule.keys() - {"none"}}


def manifest(source, url, leave_out=()):
    """The text of a manifest whose tools are at `url`, without some keys of its grants."""
    read = tomllib.loads(source)
    lines = ["schema = 1"]
    for hole, table in read["hole"].items():
        for key, grant in table["grant"].items():
            kept = {name: value for name, value in grant.items() if name not in leave_out}
            if "labels" in leave_out:
                # A tool that says nothing of labels has all of them; that nothing sends makes them harmless.
                kept["sends"] = []
            if "from" in leave_out and "where" in kept:
                kept["where"] = {function: without_from(rules) for function, rules in kept["where"].items()}
            kept["url"] = url
            lines.append(f"[hole.{json.dumps(hole)}.grant.{json.dumps(key)}]")
            lines += [f"{json.dumps(name)} = {toml(value)}" for name, value in kept.items()]
    return "\n".join(lines) + "\n"


class Plans:
    """Copies of the plans below `source`, one for each level, with tools at `url`."""

    def __init__(self, lacuna, source, url, cache):
        self.lacuna, self.source, self.url = lacuna, pathlib.Path(source), url
        self.kept = tempfile.TemporaryDirectory(prefix="lacuna-evaluation-")
        self.folder = pathlib.Path(self.kept.name)
        self.made = {}
        self.environment = dict(os.environ, LACUNA_CACHE_DIR=str(cache))

    def plan(self, name, level):
        if (name, level) not in self.made:
            place = self.folder / level / name
            shutil.copytree(self.source / name, place)
            source = (self.source / name / "lacuna.toml").read_text()
            (place / "lacuna.toml").write_text(manifest(source, self.url, LEVELS[level]))
            self.made[name, level] = place / "plan.wit"
        return self.made[name, level]

    def call(self, verb, name, level, hole, code, *more):
        snippet = self.folder / "snippet.rs"
        snippet.write_text(code)
        command = [self.lacuna, verb, self.plan(name, level), "--hole", hole, "--snippet", snippet, "--format", "json", *more]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise RuntimeError(f"{verb} {name} {hole}: exit {done.returncode}: {done.stderr[-2000:]}") from None

    def check(self, name, level, hole, code):
        """The verdict on code: {"verdict", "stage", "diagnostics", ...}."""
        return self.call("check", name, level, hole, code)

    def run(self, name, level, hole, code, arguments=None):
        """The outcome of running code: {"outcome", "value" or "message", ...}."""
        more = []
        if arguments:
            place = self.folder / "arguments.json"
            place.write_text(json.dumps(arguments))
            more = ["--args-json", place]
        return self.call("run", name, level, hole, code, *more)

    def close(self):
        self.kept.cleanup()
