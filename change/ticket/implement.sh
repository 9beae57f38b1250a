
here=$(dirname "$0")
begun=$here/begun-$plan
give_up() {
	echo "step $1: $2. To undo what was done: sh $here/backout.sh" >&2
	exit 1
}

for n in $steps; do
	"before_$n" || give_up "$n" "this host is not as the plan expects it, so nothing was done"
	echo "$n" >>"$begun" || give_up "$n" "$begun cannot be written, so nothing was done"
	"do_$n" || give_up "$n" "a command failed"
	"after_$n" || give_up "$n" "the new value does not read back"
	echo "step $n: done"
done
