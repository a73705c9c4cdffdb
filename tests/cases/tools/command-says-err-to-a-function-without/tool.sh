read -r line
echo '{"err": "sold\u001b[2J out"}'
