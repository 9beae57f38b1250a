# ---- 8. Revert ---------------------------------------------------------------

# revert_run: restores the earlier values, of a confirmed run too, and waits until
# that is done.
revert_run() {
	require_steps
	read_state
	case $state in
	confirmed | failed)
		take_lock || {
			say "busy $lock_holder"
			return
		}
		;;
	esac
	run_detached take "asked for"
	wait $!
	while read_state; do
		case $state in
		reverting.*)
			is_ours "${state#reverting.}" || run_detached take "the process that did it is gone"
			sleep 1
			;;
		*) break ;;
		esac
	done
	show_run
}

# take_over REASON: takes the run back, unless a living process does.
take_over() {
	read_state
	case $state in
	armed | confirmed | failed) move_state "$state" "reverting.$$" && take_back "$1" ;;
	reverting.*) is_ours "${state#reverting.}" || { move_state "$state" "reverting.$$" && take_back "$1"; } ;;
	esac
}

# take_back REASON: restores the earlier values, again and again until they read back.
# Its caller has made the state reverting.$$. Returns 1 after 60 attempts.
take_back() {
	write_note "restoring the earlier values: $1"
	for back_file in "$dir"/step.*.pid; do
		if [ -f "$back_file" ]; then
			read -r back_pid <"$back_file" && is_ours "$back_pid" && end_tree "$back_pid"
		fi
	done
	back_tries=0
	until undo_begun; do
		back_tries=$((back_tries + 1))
		if [ "$back_tries" -ge 60 ]; then
			write_note "given up after $back_tries tries: see $dir/log on this host"
			move_state "reverting.$$" failed
			return 1
		fi
		sleep 2
	done
	write_note "restored"
	move_state "reverting.$$" reverted
	end_run
}

# undo_begun: one attempt to undo what was begun, last first. Returns 1 if a value
# does not read back. No act of it needs room on the disk.
undo_begun() {
	undo_log=$dir/log
	{ printf '\n' >>"$undo_log"; } 2>/dev/null || undo_log=/dev/null
	undo_wrong=0
	undo_step=$tasks
	while [ "$undo_step" -gt 0 ]; do
		if [ -f "$dir/begun.$undo_step" ]; then
			# After some attempts, values that read back are enough.
			run_bounded "$limit" "undo_$undo_step" >>"$undo_log" 2>&1 || [ "$back_tries" -ge 5 ] || undo_wrong=1
			run_bounded "$limit" "undone_$undo_step" >>"$undo_log" 2>&1 || undo_wrong=1
		fi
		undo_step=$((undo_step - 1))
	done
	return "$undo_wrong"
}

