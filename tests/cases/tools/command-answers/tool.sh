read -r line
[ "$line" = '{"tool":"orders","args":{"customer":"ann"}}' ] || exit 1
echo '{"ok": [{"id": 18446744073709551615, "amount": 0.1}], "text": "one order"}'
