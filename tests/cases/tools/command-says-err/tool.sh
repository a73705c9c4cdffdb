read -r line
echo '{"err": "no such customer"}'
