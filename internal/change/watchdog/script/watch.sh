# ---- 6. Watch ----------------------------------------------------------------

# name_watcher a|b PID: files who watches, in one rename.
name_watcher() {
	printf '%s\n' "$2" >"$dir/pid.$1.$$" && mv -f "$dir/pid.$1.$$" "$dir/watch.$1"
}

# watch_run a|b: counts down, and takes the run back when its time is up. b does the
# same a second later, in case a was killed. Starts watch_begun and watch_first for
# remember_begun, clock_count and clock_old for correct_count.
watch_run() {
	watch_late=0
	[ "$1" = b ] && watch_late=1
	name_watcher "$1" $$
	watch_seen=
	watch_left=$window
	watch_tick=1
	watch_begun=
	watch_first=
	clock_count=10
	clock_old=
	# A second look: a file that is just being renamed is there again.
	while read_state || { sleep 1 && read_state; } || restore_lost "$1"; do
		remember_begun
		case $state in
		armed)
			if read -r watch_round watch_by watch_window <"$dir/window" && [ "$watch_round $watch_by" != "$watch_seen" ]; then
				watch_seen="$watch_round $watch_by"
				watch_left=$((watch_window + watch_late))
				watch_tick=1
				[ "$watch_window" -gt 100 ] && watch_tick=$((1 + watch_late))
			fi
			if [ "$watch_left" -le 0 ]; then
				take_over "not confirmed in time"
				continue
			fi
			[ "$watch_tick" -gt "$watch_left" ] && watch_tick=$watch_left
			;;
		reverting.*)
			take_over "the process that did it is gone"
			watch_tick=1
			;;
		*) break ;;
		esac
		{ printf '%s\n' "$watch_left" >"$dir/left.$1"; } 2>/dev/null
		sleep "$watch_tick"
		watch_left=$((watch_left - watch_tick))
		clock_count=$((clock_count + watch_tick))
		[ "$clock_count" -lt 10 ] || correct_count
	done
	# The process that ended the run may have been killed before this.
	case $state in
	confirmed | reverted) end_run ;;
	esac
	remove_empty_run
}

# correct_count: sleeping clock_count seconds since clock_old took a little longer:
# takes that off watch_left. More than 3 seconds: the clock was set, and is ignored.
correct_count() {
	clock_now=$(date +%s 2>/dev/null)
	case $clock_now in
	'' | *[!0-9]*) clock_now= ;;
	esac
	if [ -n "$clock_now" ] && [ -n "$clock_old" ]; then
		clock_over=$((clock_now - clock_old - clock_count))
		[ "$clock_over" -gt 0 ] && [ "$clock_over" -le 3 ] && watch_left=$((watch_left - clock_over))
	fi
	clock_old=$clock_now
	clock_count=0
}

# remember_begun: keeps in memory what a cleaner may remove: watch_begun, the steps that
# were begun, and watch_first, the process of watcher a.
remember_begun() {
	watch_begun=
	for remember_file in "$dir"/begun.*; do
		[ -f "$remember_file" ] && watch_begun="$watch_begun ${remember_file##*/begun.} "
	done
	{ read -r watch_first <"$dir/watch.a"; } 2>/dev/null
}

# restore_lost a|b: the run's files are gone: takes it back. Succeeds if there is a
# state again. b lets a do it, and does it itself if a is dead or did not succeed.
# Nothing begun and no second copy: the run is over.
restore_lost() {
	[ "$tasks" -gt 0 ] || return 1
	[ -n "$watch_begun" ] || [ -f "$copy" ] || return 1
	while [ "$1" = b ] && [ -n "$watch_first" ] && kill -0 "$watch_first" 2>/dev/null; do
		sleep 1
		read_state && return 0
	done
	recover_run "its files were removed" "$watch_begun"
	read_state
}

