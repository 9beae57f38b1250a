# ---- 5. Steps ----------------------------------------------------------------

# start_step N: runs step N; it goes on if this session ends.
start_step() {
	read_state
	[ "$state" = armed ] || {
		show_run
		fail "the run is over"
	}
	run_detached step "$1"
	wait $!
	report_step "$1" 10
}

# run_step N: the step itself, in a process of its own. That it was begun is noted
# beside the second copy, too. Leaves its status in step.N.exit and what it printed
# in step.N.out.
run_step() {
	printf '%s\n' $$ >"$dir/step.$1.pid" || exit 1
	read_state
	[ "$state" = armed ] || exit 1
	watcher_lives || exit 1
	set_window "$((limit + window))" || exit 1
	if [ -f "$copy" ]; then
		: >"$store/$id.begun.$1" || exit 1
	fi
	: >"$dir/begun.$1" || exit 1
	step_status=0
	run_bounded "$limit" "do_$1" >"$dir/step.$1.out" 2>&1 || step_status=1
	if [ "$step_status" -eq 0 ]; then
		"after_$1" >>"$dir/step.$1.out" 2>&1 || step_status=1
	fi
	set_window "$window"
	printf '%s\n' "$step_status" >"$dir/step.$1.new" && mv -f "$dir/step.$1.new" "$dir/step.$1.exit"
}

# report_step N WAITED: says how the step ended; sets report_code. A machine that asks
# after a lost connection may come before the step has begun: WAITED is how many of 10
# seconds for that have passed.
report_step() {
	report_waited=$2
	while [ ! -f "$dir/step.$1.exit" ]; do
		report_pid=
		read -r report_pid <"$dir/step.$1.pid" 2>/dev/null
		if [ -n "$report_pid" ]; then
			is_ours "$report_pid" || break
		elif [ "$report_waited" -ge 10 ]; then
			break
		fi
		report_waited=$((report_waited + 1))
		sleep 1
	done
	report_code=none
	[ -f "$dir/step.$1.exit" ] && read -r report_code <"$dir/step.$1.exit"
	if [ "$report_code" != 0 ] && [ -f "$dir/step.$1.out" ]; then
		tail -n 20 "$dir/step.$1.out" | sed 's/^/seaworthy out /'
	fi
	say "step $1 $report_code"
}

# step_runs: is a step under way? It has time of its own.
step_runs() {
	for runs_file in "$dir"/step.*.pid; do
		if [ -f "$runs_file" ] && [ ! -f "${runs_file%.pid}.exit" ]; then
			read -r runs_pid <"$runs_file" && is_ours "$runs_pid" && return 0
		fi
	done
	return 1
}

# write_next_boot: writes the values of the next boot that wait for the confirmation,
# where nothing would take them back after a reboot. Each is a step like others: it
# goes on without this session, and is ended before a rollback.
write_next_boot() {
	next_step=$((tasks - kept))
	while [ "$next_step" -lt "$tasks" ]; do
		next_step=$((next_step + 1))
		read_state
		[ "$state" = armed ] || return 0
		next_waited=0
		if mkdir "$dir/keep.$next_step" 2>/dev/null; then
			run_detached step "$next_step"
			wait $!
			next_waited=10
		fi
		report_step "$next_step" "$next_waited"
		[ "$report_code" = 0 ] ||
			fail "the values of the next boot cannot be written: roll back, or everything is taken back once the time is over"
	done
}

