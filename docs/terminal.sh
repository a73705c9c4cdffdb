#!/bin/sh
# Writes docs/terminal.txt: what a terminal of 80 columns shows of a run with two attempts, while it lasts and at its end.
# Needs tmux, python3 and a built program (LACUNA, or target/release/lacuna). The model is a local server that gives the
# recorded answers of tests/cli/plans/audit, slowly enough to see something, and counts tokens.
set -eu
cd "$(dirname "$0")/.."
lacuna=$(realpath "${LACUNA:-target/release/lacuna}")
scratch=$(mktemp -d)
socket=lacuna-recording-$$
server=
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; [ -z "$server" ] || kill "$server"; rm -rf "$scratch"' EXIT

mkdir "$scratch/bin" "$scratch/audit"
ln -s "$lacuna" "$scratch/bin/lacuna"
cp -r tests/cli/plans/audit/. "$scratch/audit"
cat > "$scratch/audit/lacuna.toml" <<'END'
schema = 1
[models.default]
provider = "openai"
model = "small"
price.input = 2.5
price.output = 10.0
[hole.audit.args]
lockfile = "Cargo.lock"
[hole.audit.grant.repo]
path = "."
functions = ["read-text"]
END
cat > "$scratch/server.py" <<'END'
import http.server, json, sys, time
answers = [open(path).read() for path in sys.argv[2:]]
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        prompt = len(self.rfile.read(int(self.headers["Content-Length"])))
        text = answers.pop(0)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        def event(value):
            self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")
            self.wfile.flush()
        step = max(len(text) // 12, 1)
        time.sleep(0.8)
        for at in range(0, len(text), step):
            event({"choices": [{"index": 0, "delta": {"content": text[at:at + step]}, "finish_reason": None}]})
            time.sleep(0.1)
        event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        event({"choices": [], "usage": {"prompt_tokens": prompt // 4, "completion_tokens": len(text) // 4}})
        self.wfile.write(b"data: [DONE]\n\n")
    def log_message(self, *_):
        pass
listening = http.server.HTTPServer(("127.0.0.1", 0), Handler)
open(sys.argv[1], "w").write(str(listening.server_port))
listening.serve_forever()
END
python3 "$scratch/server.py" "$scratch/port" tests/cli/plans/audit/recorded/audit.1.md tests/cli/plans/audit/recorded/audit.2.md &
server=$!
while ! [ -s "$scratch/port" ]; do sleep 0.05; done

# What is compiled once is in the cache afterwards, as it is from the second run on.
(cd "$scratch/audit" && "$lacuna" check plan.wit --snippet recorded/audit.2.md -q > "$scratch/verdict")

tmux -L "$socket" -f /dev/null new-session -d -x 80 -y 30 -c "$scratch/audit" \
  "PS1='\$ ' PATH='$scratch/bin:$PATH' OPENAI_API_KEY=none OPENAI_BASE_URL=http://127.0.0.1:$(cat "$scratch/port")/v1 sh"
show() { tmux -L "$socket" capture-pane -p | sed -e 's/ *$//' -e '/^$/d'; }
until_seen() {
  tries=0
  until show | grep -q "$1"; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { show; echo "never seen: $1" >&2; exit 1; }
    sleep 0.02
  done
}
until_seen '^\$'
tmux -L "$socket" send-keys 'lacuna run plan.wit' Enter
until_seen '2/3 \(asking\|receiving\) 0.[5-9]'
show > "$scratch/during"
until_seen '^\[{'
sleep 0.3
show | sed '$d' > "$scratch/after"
{
  echo 'While the second attempt is asked for; the last line moves:'
  echo
  sed 's/^/    /' "$scratch/during"
  echo
  echo 'At the end:'
  echo
  sed 's/^/    /' "$scratch/after"
} > docs/terminal.txt
