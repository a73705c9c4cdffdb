"""What the evaluations share: their arguments, the evaluation kit, a virtual environment, and a server of the kit.

The kit is a folder beside the repository with a benchmark's tools as JSON over HTTP on 127.0.0.1 and its scores.
Where the kit or the package registry is out of reach, `--ci` says so in one line and ends well; else it is an error.
"""
import argparse
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Unavailable(Exception):
    """Something outside of the repository is not there."""


def arguments(description):
    """The flags of every evaluation; more can be added before they are parsed."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--eval", help="the evaluation kit [default: LACUNA_EVAL, else ../shared/eval beside the repository]")
    parser.add_argument("--lacuna", help="the program to test [default: cargo build -p lacuna]")
    parser.add_argument("--cache", help="where environment and compiled code are kept [default: evaluation in the target folder]")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="cases at once, each with a server of its own")
    parser.add_argument("--ci", action="store_true", help="where the kit or the registry is out of reach, say so and end well")
    return parser


def run(main):
    """Calls `main`, which returns whether all was as it must be, and ends the process."""
    try:
        sys.exit(0 if main() else 1)
    except Unavailable as reason:
        ci = "--ci" in sys.argv
        print(f"{'skipped' if ci else 'error'}: {reason}", file=sys.stdout if ci else sys.stderr)
        sys.exit(0 if ci else 2)


def kit_folder(options):
    named = options.eval or os.environ.get("LACUNA_EVAL")
    folder = pathlib.Path(named) if named else REPOSITORY.parent / "shared" / "eval"
    if not (folder / "toolserver.py").is_file():
        raise Unavailable(f"no evaluation kit at {folder}; name it with --eval or LACUNA_EVAL")
    return folder.resolve()


def cache_folder(options):
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or REPOSITORY / "target")
    folder = pathlib.Path(options.cache) if options.cache else target / "evaluation"
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def environment(folder, name, installs):
    """A Python whose packages are those of `installs` (a list of pip's arguments), made once for each such list."""
    wanted = hashlib.blake2s(json.dumps([sys.version, installs]).encode()).hexdigest()
    place, mark = folder / f"venv-{name}", folder / f"venv-{name}" / "made-of"
    python = place / "bin" / "python"
    if mark.is_file() and mark.read_text() == wanted:
        return python
    shutil.rmtree(place, ignore_errors=True)
    print(f"installing {name} in {place}", file=sys.stderr)
    made = subprocess.run([sys.executable, "-m", "venv", place], capture_output=True, text=True)
    for install in installs if made.returncode == 0 else []:
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *install]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            break
    if made.returncode != 0:
        last = (made.stderr.strip().splitlines() or ["no word of why"])[-1]
        raise Unavailable(f"{name} cannot be installed: {last[:200]}")
    mark.write_text(wanted)
    return python


def spread(rows, count):
    """So many of them, evenly from first to last."""
    count = min(count, len(rows))
    return [rows[index * len(rows) // count] for index in range(count)]


class Server:
    """A process that serves one case at a time; its first line is its address."""

    def __init__(self, python, script, kit):
        self.process = subprocess.Popen(
            [python, "-B", script, kit], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise Unavailable(f"{script} has not started (exit {self.process.wait()})")
        self.url = json.loads(line)["url"]
        self.connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=120)

    def ask(self, method, path, body=None):
        text = None if body is None else json.dumps(body).encode()
        self.connection.request(method, path, text)
        answer = self.connection.getresponse()
        value = json.loads(answer.read())
        if answer.status != 200:
            raise RuntimeError(f"{method} {path} {body}: {answer.status} {value}")
        return value

    def close(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait()
