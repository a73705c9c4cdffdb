#!/bin/sh
# Writes docs/terminal.txt: what a terminal of 80 columns shows of a run with two attempts, while it lasts and at its end.
# Needs tmux and a built program (LACUNA, or target/release/lacuna). The model is the recording of examples/lock-audit,
# which takes a second to answer here, so that there is something to see.
set -eu
cd "$(dirname "$0")/.."
lacuna=$(realpath "${LACUNA:-target/release/lacuna}")
scratch=$(mktemp -d)
socket=lacuna-recording-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; rm -rf "$scratch"' EXIT

cat > "$scratch/model" <<END
#!/bin/sh
n=\$(cat "$scratch/asked" 2>/dev/null || echo 1)
echo \$((n + 1)) > "$scratch/asked"
sleep 1
sed '1{/^---\$/!q};1,/^---\$/d' examples/lock-audit/recorded/audit.\$n.md
END
chmod +x "$scratch/model"
mkdir "$scratch/bin"
ln -s "$lacuna" "$scratch/bin/lacuna"
ln -s "$scratch/model" "$scratch/bin/slow-model"

# The bindings of the scope are in the cache afterwards, as they are from the second run on.
PATH="$scratch/bin:$PATH" lacuna run examples/lock-audit/plan.wit -q > "$scratch/value"

tmux -L "$socket" -f /dev/null new-session -d -x 80 -y 30 \
  "PS1='\$ ' PATH='$scratch/bin:$PATH' NO_COLOR=1 sh"
show() { tmux -L "$socket" capture-pane -p | sed -e 's/ *$//' -e '/^$/d'; }
until_seen() {
  tries=0
  until show | grep -q "$1"; do
    tries=$((tries + 1))
    [ "$tries" -lt 600 ] || { show; echo "never seen: $1" >&2; exit 1; }
    sleep 0.05
  done
}
until_seen '^\$'
tmux -L "$socket" send-keys 'lacuna run examples/lock-audit/plan.wit --model command:slow-model' Enter
until_seen '2/3 asking 0.[5-9]'
show > "$scratch/during"
until_seen 'attempts, '
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
