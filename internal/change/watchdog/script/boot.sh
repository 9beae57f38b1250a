# ---- 9. After a reboot, and after a loss ------------------------------------

# after_reboot: init or systemd runs it, from the second copy. No watcher survives a
# reboot: while one lives, init only read its table again.
after_reboot() {
	own_folder && watcher_lives && return
	await_inner_runs
	read_state
	case $state in
	armed | reverting.*)
		# Which steps were begun may lie on another disk than what they wrote, and be
		# lost in a power cut.
		boot_step=$tasks
		while [ "$persists" = 1 ] && [ "$boot_step" -gt 0 ]; do
			: >"$dir/begun.$boot_step"
			boot_step=$((boot_step - 1))
		done
		move_state "$state" "reverting.$$" && take_back "the host was rebooted"
		;;
	confirmed | reverted) end_run ;;
	gone)
		boot_begun=
		[ "$persists" = 1 ] && boot_begun=all
		recover_run "the host was rebooted and its files were removed" "$boot_begun"
		;;
	esac
}

# await_inner_runs: runs made under this one restore first, as they would without a
# reboot: both may take the same interface down. At most 5 minutes.
await_inner_runs() {
	inner_tries=0
	while [ "$inner_tries" -lt 150 ] && grep -l "^under=$id\$" "$store"/*.sh >/dev/null 2>&1; do
		inner_tries=$((inner_tries + 1))
		sleep 2
	done
}

# recover_if_lost: before an answer: a run whose folder is lost is taken back, and
# says so. A watcher may be about to do it: rebuild_folder decides.
recover_if_lost() {
	[ "$tasks" -gt 0 ] && [ -f "$copy" ] || return 0
	read_state && return 0
	sleep 1
	read_state && return 0
	run_detached recover
	lost_tries=0
	until read_state || [ ! -f "$copy" ] || [ "$lost_tries" -ge 15 ]; do
		lost_tries=$((lost_tries + 1))
		sleep 1
	done
}

# recover_run REASON STEPS: takes a run back whose folder is lost: nobody can confirm it
# any more. What was begun is noted beside the second copy; STEPS are others that are
# known to be, or all. Makes the folder again, so that anyone who asks learns of it; where
# that fails, works without files.
recover_run() {
	recover_steps=$2
	for recover_file in "$store/$id.begun."*; do
		[ -f "$recover_file" ] && recover_steps="$recover_steps ${recover_file##*.begun.} "
	done
	end_lost_steps
	rebuild_folder "$1"
	case $? in
	0)
		take_back "$1"
		logger -t seaworthy "run $id: $1; it was taken back, see $dir/notes" 2>/dev/null
		return
		;;
	2) # Another process is at it.
		recover_tries=0
		until read_state; do
			recover_tries=$((recover_tries + 1))
			[ "$recover_tries" -lt 10 ] || break
			sleep 1
		done
		[ "$state" = gone ] || return 0
		;;
	esac
	recover_tries=0
	until undo_remembered; do
		recover_tries=$((recover_tries + 1))
		[ "$recover_tries" -lt 60 ] || {
			logger -t seaworthy "run $id: $1; the earlier values could not be restored" 2>/dev/null
			return 1
		}
		sleep 2
	done
	drop_boot_entry
	logger -t seaworthy "run $id: $1; the earlier values were restored" 2>/dev/null
}

# is_begun N: is step N among recover_steps?
is_begun() {
	case $recover_steps in
	all* | *" $1 "*) return 0 ;;
	esac
	return 1
}

# rebuild_folder REASON: the folder again, with the state reverting.$$, from the
# second copy. Returns 1: not possible, 2: another process does it.
rebuild_folder() {
	[ -f "$copy" ] || return 1
	[ -d "$base" ] || mkdir "$base" 2>/dev/null
	[ -d "$dir" ] || mkdir "$dir" 2>/dev/null
	own_folder || return 1
	mkdir "$dir/rebuilt" 2>/dev/null || return 2
	cp "$copy" "$dir/watchdog.new" && mv -f "$dir/watchdog.new" "$dir/watchdog.sh" || return 1
	printf '1 0 %s\n' "$window" >"$dir/window" || return 1
	record_boot
	rebuild_step=$tasks
	while [ "$rebuild_step" -gt 0 ]; do
		if is_begun "$rebuild_step"; then
			: >"$dir/begun.$rebuild_step" || return 1
		fi
		rebuild_step=$((rebuild_step - 1))
	done
	if [ -z "$under" ] && printf '%s\n' "$id" >"$dir/lock"; then
		ln "$dir/lock" "$base/pending" 2>/dev/null
	fi
	write_note "$1: $dir was made again"
	: >"$dir/state.reverting.$$"
}

# end_lost_steps: ends steps whose process numbers are lost.
end_lost_steps() {
	for lost_pid in $(ps -e -o pid= -o args= | awk -v script="$dir/watchdog.sh step " 'index($0, script) && !/awk/ { print $1 }'); do
		end_tree "$lost_pid"
	done
}

# undo_remembered: one attempt to undo what was begun, last first, without files.
undo_remembered() {
	remembered_wrong=0
	remembered_step=$tasks
	while [ "$remembered_step" -gt 0 ]; do
		if is_begun "$remembered_step"; then
			run_bounded "$limit" "undone_$remembered_step" >/dev/null 2>&1 || run_bounded "$limit" "undo_$remembered_step" >/dev/null 2>&1
			run_bounded "$limit" "undone_$remembered_step" >/dev/null 2>&1 || remembered_wrong=1
		fi
		remembered_step=$((remembered_step - 1))
	done
	return "$remembered_wrong"
}

