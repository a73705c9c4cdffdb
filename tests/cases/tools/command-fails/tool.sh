read -r line
echo 'no data base' >&2; exit 3
