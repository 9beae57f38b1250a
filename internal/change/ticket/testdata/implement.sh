#!/bin/sh
# Makes the changes. Stops at the first step that fails: then run backout.sh.
# Plan 31b8e969e79f, host vios1. Run as root (on a VIOS: log in as padmin, oem_setup_env, then sh):
#   sh THIS-FILE [STEP...]
# Without steps it takes all of this host: 1 2.
# Functions are called by the number of a step:
# shellcheck disable=SC2317

unalias -a 2>/dev/null
unset ENV
LC_ALL=C
# The VIOS's own lsdev and chdev are other commands: they come last.
case :$PATH: in
*:/usr/sbin:*/usr/ios/cli:*) PATH=$PATH:/usr/bin:/bin:/sbin:/etc ;;
*:/usr/ios/cli:*) PATH=/usr/bin:/bin:/usr/sbin:/sbin:/etc:$PATH ;;
*) PATH=$PATH:/usr/bin:/bin:/usr/sbin:/sbin:/etc:/usr/ios/cli ;;
esac
export LC_ALL PATH
oem_setup_env() {
	sh
}
# The value in what a command printed: the last line, without "name = ".
value() {
	awk 'NF { l = $0 } END {
		sub(/^[ \t]+/, "", l); sub(/[ \t\r]+$/, "", l)
		i = index(l, " = "); if (i) l = substr(l, i + 3)
		if (l == "value") l = ""
		print l
	}'
}
# same WHAT WANT PRINTED
same() {
	is=$(printf '%s\n' "$3" | value)
	[ "$is" = "$2" ] && return 0
	printf '%s is %s, not %s\n' "$1" "$is" "$2"
	return 1
}
all='1 2'
steps=$all

# The steps that were asked for must be steps of this host.
for n in "$@"; do
	case " $all " in
	*" $n "*) ;;
	*)
		echo "step $n is not a step of this host: $all" >&2
		exit 64
		;;
	esac
done
[ $# -gt 0 ] && steps=$*

# Step 1: vios1:ent0:largesend
before_1() {
	differs=0
	got=$(ioscli lsdev -dev ent0 -attr largesend) || got="the command failed: $got"
	same 'vios1 ent0 largesend' off "$got" || differs=1
	return "$differs"
}
do_1() {
	if ioscli chdev -dev ent0 -attr largesend=1; then return 0; fi
	return 1
}
after_1() {
	differs=0
	got=$(ioscli lsdev -dev ent0 -attr largesend) || got="the command failed: $got"
	same 'vios1 ent0 largesend' 1 "$got" || differs=1
	return "$differs"
}
undo_1() {
	failed=0
	ioscli chdev -dev ent0 -attr largesend=off || failed=1
	return "$failed"
}
undone_1() {
	differs=0
	got=$(ioscli lsdev -dev ent0 -attr largesend) || got="the command failed: $got"
	same 'vios1 ent0 largesend' off "$got" || differs=1
	return "$differs"
}

# Step 2: vios1:no:sb_max
before_2() {
	differs=0
	got=$(echo 'no -o sb_max' | oem_setup_env) || got="the command failed: $got"
	same 'vios1 no sb_max' 1048576 "$got" || differs=1
	return "$differs"
}
do_2() {
	if echo 'no -p -o sb_max=2097152' | oem_setup_env; then return 0; fi
	return 1
}
after_2() {
	differs=0
	got=$(echo 'no -o sb_max' | oem_setup_env) || got="the command failed: $got"
	same 'vios1 no sb_max' 2097152 "$got" || differs=1
	return "$differs"
}
undo_2() {
	failed=0
	echo 'no -p -o sb_max=1048576' | oem_setup_env || failed=1
	return "$failed"
}
undone_2() {
	differs=0
	got=$(echo 'no -o sb_max' | oem_setup_env) || got="the command failed: $got"
	same 'vios1 no sb_max' 1048576 "$got" || differs=1
	return "$differs"
}

plan=31b8e969e79f6ad6a2f150c3c193c2776f85c0971f476c4d64b114e9d8160e10
here=$(dirname "$0")
# The note of the steps that implement.sh began. In a folder that others can write to, a
# link or a file of somebody else's may stand there instead.
begun=$here/begun-$plan
if [ -e "$begun" ] || [ -L "$begun" ]; then
	noted=yes
	if [ ! -f "$begun" ] || [ -L "$begun" ] || [ ! -O "$begun" ] || [ -z "$(find "$begun" -links 1 -print)" ]; then
		noted=foreign
	fi
else
	noted=no
fi
give_up() {
	echo "step $1: $2. To undo what was done: sh $here/backout.sh" >&2
	exit 1
}

[ "$noted" = foreign ] && give_up "${steps%% *}" "$begun is not a plain file of yours: remove it; nothing was done"
if [ "$noted" = no ]; then
	(set -C && : >"$begun") || give_up "${steps%% *}" "$begun cannot be written, so nothing was done"
fi
for n in $steps; do
	"before_$n" || give_up "$n" "this host is not as the plan expects it, so nothing was done"
	echo "$n" >>"$begun" || give_up "$n" "$begun cannot be written, so nothing was done"
	"do_$n" || give_up "$n" "a command failed"
	"after_$n" || give_up "$n" "the new value does not read back"
	echo "step $n: done"
done
