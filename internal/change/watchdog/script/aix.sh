# ---- 3. AIX and VIOS ---------------------------------------------------------

# is_ours PID: is it a living process of this run? /proc has no command lines on
# AIX, and for a moment ps has none of a process that becomes another program.
is_ours() {
	ours_tries=0
	while :; do
		case $(ps -p "$1" -o args= 2>/dev/null) in
		*"$dir/watchdog.sh"* | *"$copy"*) return 0 ;;
		'' | *defunct*) return 1 ;;
		esac
		[ "$ours_tries" -lt 3 ] || return 1
		ours_tries=$((ours_tries + 1))
		sleep 1
	done
}

# reboot_undid_all: did a reboot take back what this run set? Not on AIX.
reboot_undid_all() {
	return 1
}

# record_boot: nothing to record on AIX.
record_boot() {
	:
}

# flush_disk: JFS2 keeps the order of renames.
flush_disk() {
	:
}

# add_boot_entry: has init run the second copy after a reboot. Returns 1 if that
# cannot be arranged. init reads the entry again at telinit q, without a reboot:
# see after_reboot. An identifier has at most 14 characters. Two mkitab at the same
# moment may lose one entry, hence the look afterwards. The entry has no colon of its own.
add_boot_entry() {
	command -v mkitab >/dev/null 2>&1 || {
		save_copy
		return 0
	}
	save_copy || return 1
	add_tries=0
	until lsitab "$entry" >/dev/null 2>&1; do
		[ "$add_tries" -lt 3 ] || return 1
		add_tries=$((add_tries + 1))
		mkitab "$entry:2:once:/bin/sh -c '$(print_guard "/usr/sbin/rmitab $entry")' >/dev/null 2>&1 </dev/null" 2>/dev/null
	done
}

# drop_boot_entry: removes what add_boot_entry made, the second copy first: where a
# reboot comes in between, the entry removes itself, but a copy that is left would
# take an ended run back once its folder is cleaned away.
drop_boot_entry() {
	[ "$tasks" -gt 0 ] || return 0
	drop_copy
	drop_tries=0
	while [ "$drop_tries" -lt 3 ] && command -v rmitab >/dev/null 2>&1 && lsitab "$entry" >/dev/null 2>&1; do
		drop_tries=$((drop_tries + 1))
		rmitab "$entry" >/dev/null 2>&1
	done
}

