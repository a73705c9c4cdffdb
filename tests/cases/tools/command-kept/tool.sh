n=0
while read -r line; do
    n=$((n + 1))
    echo "{\"ok\": $n}"
done
