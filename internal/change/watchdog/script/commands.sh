# ---- 2. Processes ------------------------------------------------------------
#
# External commands here, and what differs on AIX:
#   ps       only POSIX options: -e, -p, -o pid=,ppid=,args=
#   setsid   not on AIX: perl (in AIX's base) does it, else nohup
#   kill     -STOP, -CONT by name: the numbers differ
#   sleep    whole seconds only

# list_below PID: prints the processes below it, one a line.
list_below() {
	ps -e -o pid= -o ppid= | awk -v top="$1" '{ up[$1] = $2 } END {
		in_it[top] = 1
		do {
			more = 0
			for (p in up) if (!(p in in_it) && (up[p] in in_it)) { in_it[p] = 1; more = 1 }
		} while (more)
		for (p in in_it) if (p != top) print p
	}' | sort
}

# any_alive "PID...": does one of them live? Dead ones stay in the process list
# while their parent is stopped.
any_alive() {
	ps -e -o pid= -o args= | awk -v all=" $(printf '%s' "$1" | tr '\n' ' ') " '
		index(all, " " $1 " ") && !/<defunct>/ { found = 1 }
		END { exit !found }'
}

# end_tree PID: ends the process and all below it. Stopped processes start no
# others, so none is left to change something afterwards. A device method that is
# killed may leave the ODM half written: each gets 5 seconds to end by itself.
end_tree() {
	end_tree_below=
	end_tree_scans=0
	kill -STOP "$1" 2>/dev/null
	while [ "$end_tree_scans" -lt 5 ]; do
		end_tree_scans=$((end_tree_scans + 1))
		end_tree_found=$(list_below "$1")
		[ "$end_tree_found" = "$end_tree_below" ] && break
		end_tree_below=$end_tree_found
		# One argument for each number.
		# shellcheck disable=SC2086
		kill -STOP $end_tree_below 2>/dev/null
	done
	# shellcheck disable=SC2086
	kill -TERM $end_tree_below 2>/dev/null
	# shellcheck disable=SC2086
	kill -CONT $end_tree_below 2>/dev/null
	end_tree_left=5
	while [ "$end_tree_left" -gt 0 ] && any_alive "$end_tree_below"; do
		end_tree_left=$((end_tree_left - 1))
		sleep 1
	done
	# shellcheck disable=SC2086
	kill -9 $end_tree_below 2>/dev/null
	kill -9 "$1" 2>/dev/null
}

# run_bounded SECONDS FUNCTION: runs it, and ends it after SECONDS. Returns its status.
run_bounded() {
	"$2" &
	bounded_pid=$!
	# Second by second: what is left when this one is killed ends by itself.
	(
		bounded_left=$1
		while [ "$bounded_left" -gt 0 ]; do
			sleep 1
			bounded_left=$((bounded_left - 1))
		done
		end_tree "$bounded_pid"
	) >/dev/null 2>&1 &
	bounded_guard=$!
	wait "$bounded_pid"
	bounded_status=$?
	kill -9 "$bounded_guard" 2>/dev/null
	wait "$bounded_guard" 2>/dev/null
	return "$bounded_status"
}

# run_detached VERB...: runs this script in a session of its own; $! is its process. Once
# a cleaner has removed the folder, a file of that name may be another account's.
run_detached() {
	detached_script=$copy
	own_folder && [ -f "$dir/watchdog.sh" ] && detached_script=$dir/watchdog.sh
	if command -v setsid >/dev/null 2>&1; then
		setsid sh "$detached_script" "$@" </dev/null >/dev/null 2>&1 &
	elif command -v perl >/dev/null 2>&1; then
		perl -e 'use POSIX; POSIX::setsid(); exec @ARGV' sh "$detached_script" "$@" </dev/null >/dev/null 2>&1 &
	else
		nohup sh "$detached_script" "$@" </dev/null >/dev/null 2>&1 &
	fi
}

# watcher_lives: does a watcher of this run live? After a reboot its number may be
# that of this very process.
watcher_lives() {
	for lives_file in "$dir"/watch.*; do
		lives_pid=
		[ -f "$lives_file" ] && read -r lives_pid <"$lives_file"
		[ -n "$lives_pid" ] && [ "$lives_pid" != $$ ] && is_ours "$lives_pid" && return 0
	done
	return 1
}

