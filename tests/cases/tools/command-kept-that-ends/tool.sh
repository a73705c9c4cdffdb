read -r line
echo '{"ok": 1}'
