# The tool of plan.wit: a line for each line.
while IFS= read -r line; do
    case $line in
    '{"tool":"count",'*) echo '{"ok": 42}' ;;
    '{"tool":"orders",'*'"ann"'*) echo '{"ok": [{"id": 18446744073709551615, "amount": 0.1, "note": "späť"}, {"id": 2, "amount": 1e300}], "text": "two"}' ;;
    '{"tool":"orders",'*) echo '{"err": "no such customer"}' ;;
    '{"tool":"cart.constructor","args":{"owner":"me"}}') echo '{"ok": "@mine"}' ;;
    '{"tool":"cart.constructor",'*) echo '{"ok": "@yours"}' ;;
    '{"tool":"cart.add","args":{"self":"@mine","order":2}}') echo '{"ok": 2}' ;;
    '{"tool":"cart.add","args":{"self":"@mine",'*) echo '{"ok": 1}' ;;
    '{"tool":"cart.merge","args":{"into":"@mine","other":"@yours"}}') echo '{"ok": "@both"}' ;;
    '{"tool":"cart.add","args":{"self":"@both","order":0}}') echo '{"ok": 3}' ;;
    '{"tool":"keep",'*) echo '{"ok": null}' ;;
    *) echo "no such call: $line" >&2; exit 2 ;;
    esac
done
