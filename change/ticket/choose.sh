
# The steps that were asked for must be steps of this host.
for n in "$@"; do
	case " $steps " in
	*" $n "*) ;;
	*)
		echo "step $n is not a step of this host: $steps" >&2
		exit 64
		;;
	esac
done
[ $# -gt 0 ] && steps=$*
