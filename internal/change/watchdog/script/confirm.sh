# ---- 7. Confirm --------------------------------------------------------------

# extend_run: the whole time again, unless a step runs.
extend_run() {
	read_state
	if [ "$state" = armed ] && ! step_runs; then
		set_window "$window" || fail "$dir cannot be written: is the disk full?"
	fi
	show_run
}

# confirm_run: the new values stay, if it comes in time.
confirm_run() {
	require_steps
	write_next_boot
	flush_disk
	move_state armed confirmed && end_run
	dismiss_watchers
	flush_disk
	show_run
}

# require_steps: a run without steps only holds the lock.
require_steps() {
	[ "$tasks" -gt 0 ] || fail "the steps of run $id are made by the machine that began it: confirm or roll back there"
}

# end_run: of a run that is confirmed or reverted: no boot entry, no lock.
end_run() {
	drop_boot_entry
	release_lock
}

# release_lock: gives the host back if this run holds it.
release_lock() {
	release_holder=
	read -r release_holder <"$base/pending" 2>/dev/null
	[ "$release_holder" = "$id" ] || return 0
	mv -f "$base/pending" "$dir/released" 2>/dev/null || {
		# Another process of this run did it, or there is no room for a name.
		release_holder=
		read -r release_holder <"$base/pending" 2>/dev/null
		[ "$release_holder" = "$id" ] && rm -f "$base/pending"
		return 0
	}
	release_holder=$id
	{ read -r release_holder <"$dir/released"; } 2>/dev/null
	# It was another run's, which found ours needless: give it back.
	[ "$release_holder" = "$id" ] || ln "$dir/released" "$base/pending" 2>/dev/null
}

# dismiss_watchers: ends the watchers of a run that is over, before its folder is
# removed: they would take that for a loss. Its boot entry goes, too.
dismiss_watchers() {
	read_state
	case $state in
	confirmed | reverted) ;;
	*) return 0 ;;
	esac
	for dismiss_file in "$dir"/watch.*; do
		dismiss_pid=
		[ -f "$dismiss_file" ] && read -r dismiss_pid <"$dismiss_file"
		[ -n "$dismiss_pid" ] && is_ours "$dismiss_pid" && kill "$dismiss_pid" 2>/dev/null
	done
	drop_boot_entry
}

# leave_host: gives back the lock of a run without steps.
leave_host() {
	[ "$tasks" -eq 0 ] || fail "run $id has steps: revert or confirm it"
	move_state armed reverted
	release_lock
	# Not read from its folder: a watcher may have removed that by now.
	say "run $id"
	say "state reverted"
	remove_empty_run
}

# remove_empty_run: leaves nothing of a run without steps.
remove_empty_run() {
	[ "$tasks" -eq 0 ] || return 0
	rm -rf "$dir" 2>/dev/null || rm -rf "$dir"
	rmdir "$base" 2>/dev/null
}

