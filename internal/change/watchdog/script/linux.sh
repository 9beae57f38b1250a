# ---- 3. Linux (and a host of which only the lock is taken) -------------------

unit=/etc/systemd/system/$entry.service

# is_ours PID: is it a living process of this run? Its command line is empty while
# it becomes another program, and once it is dead.
is_ours() {
	ours_tries=0
	while [ -f "/proc/$1/cmdline" ]; do
		case $(tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null) in
		*"$dir/watchdog.sh"* | *"$copy"*) return 0 ;;
		?*) return 1 ;;
		esac
		ours_stat=
		{ read -r ours_stat <"/proc/$1/stat"; } 2>/dev/null
		case $ours_stat in
		*') Z '*) return 1 ;;
		esac
		[ "$ours_tries" -lt 3 ] || return 1
		ours_tries=$((ours_tries + 1))
		sleep 1
	done
	[ -f /proc/self/cmdline ] && return 1
	case $(ps -p "$1" -o args= 2>/dev/null) in
	*"$dir/watchdog.sh"*) return 0 ;;
	esac
	return 1
}

# reboot_undid_all: did a reboot take back all that this run has set?
reboot_undid_all() {
	[ "$persists" = 0 ] || return 1
	undid_step=$((tasks - kept))
	while [ "$undid_step" -lt "$tasks" ]; do
		undid_step=$((undid_step + 1))
		[ -f "$dir/begun.$undid_step" ] && return 1
	done
	undid_old=
	{ read -r undid_old <"$dir/boot"; } 2>/dev/null
	{ read -r undid_now </proc/sys/kernel/random/boot_id; } 2>/dev/null
	[ -n "$undid_old" ] && [ "$undid_old" != "$undid_now" ]
}

# record_boot: keeps the id of the present boot for reboot_undid_all.
record_boot() {
	cat /proc/sys/kernel/random/boot_id >"$dir/boot" 2>/dev/null
}

# flush_disk: writes to the disk what a power cut would lose.
flush_disk() {
	[ "$persists$kept" = 00 ] || run_bounded 10 sync_files
}

# sync_files: sync -f is not everywhere.
sync_files() {
	sync -f "$dir" /etc 2>/dev/null || sync
}

# add_boot_entry: has systemd run the second copy after a reboot. Returns 1 if that
# cannot be arranged. A reboot alone takes back what is not kept for the next boot.
# systemd expands $ and % in a command line unless they stand twice.
add_boot_entry() {
	[ "$persists" = 1 ] || {
		save_copy
		return 0
	}
	[ -d /run/systemd/system ] && save_copy || return 1
	printf '%s\n' '[Unit]' "Description=rollback of seaworthy's run $id, unless it was confirmed" \
		'Wants=network-online.target' 'After=network-online.target multi-user.target' '[Service]' 'Type=oneshot' \
		"ExecStart=/bin/sh -c '$(print_guard "systemctl --quiet disable $entry.service; rm -f $unit" | sed 's/[$%]/&&/g')'" \
		'[Install]' 'WantedBy=multi-user.target' >"$unit.new" &&
		chmod 644 "$unit.new" && mv -f "$unit.new" "$unit" && systemctl --quiet enable "$entry.service"
}

# drop_boot_entry: removes what add_boot_entry made, the second copy first: where a
# reboot comes in between, the entry removes itself, but a copy that is left would
# take an ended run back once its folder is cleaned away.
drop_boot_entry() {
	[ "$tasks" -gt 0 ] || return 0
	drop_copy
	if [ -f "$unit" ]; then
		systemctl --quiet disable "$entry.service" >/dev/null 2>&1
		rm -f "$unit"
	fi
}

