read -r line
echo '{"ok": [{"id": 1, "amount": 1}, {"id": 2, "amount": "x"}]}'
