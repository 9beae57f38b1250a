
# arrived WHAT PRINTED: by what ping printed.
arrived() {
	case $2 in
	*" 0 packets received"* | *" 0 received"*) ;;
	*received*)
		echo "$1"
		return
		;;
	esac
	echo "NOT so: $1"
	bad=1
}

for n in $steps; do
	if "after_$n"; then
		echo "step $n: as planned"
	else
		echo "step $n: NOT as planned"
		bad=1
	fi
done
prove
exit "$bad"
