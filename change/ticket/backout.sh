
begun=$(dirname "$0")/begun-$plan
# Last first, each once; of them only those that implement.sh began, if it left
# a note.
if [ $# -eq 0 ] && [ -f "$begun" ]; then
	steps=$(cat "$begun")
fi
reversed=
for n in $steps; do
	case " $reversed " in
	*" $n "*) ;;
	*) reversed="$n $reversed" ;;
	esac
done
bad=0
for n in $reversed; do
	if [ -f "$begun" ] && ! grep -x "$n" "$begun" >/dev/null; then
		echo "step $n: was not begun"
		continue
	fi
	"undo_$n" || "undo_$n"
	if "undone_$n"; then
		echo "step $n: undone"
	else
		echo "step $n: NOT undone" >&2
		bad=1
	fi
done
exit "$bad"
