# ---- 1. States ---------------------------------------------------------------
#
# A run's state is the name of one file in its folder, state.NAME. Renaming that
# file is the move: of two processes that try at the same moment, one wins.
#
#   state          meaning                          next state, and who may move it there
#   armed          steps run or have run, the       confirmed      confirm (an operator)
#                  watchers count down              reverting.PID  a watcher (time is up), revert (an
#                                                                  operator), boot (a restart)
#                                                   reverted       leave, needless, begin (host busy):
#                                                                  nothing was changed
#   reverting.PID  process PID restores the         reverted       PID
#                  earlier values                   failed         PID, after 60 attempts
#                                                   reverting.NEW  any process that finds PID dead
#   confirmed      the new values stay              reverting.PID  revert (an operator)
#   failed         PID gave up: a person must look  reverting.PID  revert (an operator)
#   reverted       the earlier values are back      -
#   gone           no state file: the folder was    reverting.PID  a watcher, boot, or the next question,
#                  removed (cleaner, tmpfs)                        each from the second copy
#
# There is no "local" in ksh88: a variable belongs to the function whose prefix it
# has. Set at the top and never changed: id under plan hosts tasks kept persists
# window limit base dir store copy entry. read_state alone sets state.

# say WORD...: one line of the answer to the machine that asked.
say() {
	printf 'seaworthy %s\n' "$*"
}

# fail REASON: answers that the request failed, and ends.
fail() {
	say "failed $*"
	exit 1
}

# write_note TEXT: adds a dated line to the run's notes; a full disk is ignored.
write_note() {
	{ printf '%s %s\n' "$(date)" "$*" >>"$dir/notes"; } 2>/dev/null
}

# own_folder: do the run's folder and the one above belong to this login? After a
# cleaner removed them, any account may have made others of the same name.
# -O is in ksh88, dash, bash and mksh.
# shellcheck disable=SC3067
own_folder() {
	[ -O "$base" ] && [ ! -L "$base" ] && [ -O "$dir" ] && [ ! -L "$dir" ]
}

# read_state: sets state; returns 1 if it is gone.
read_state() {
	read_state_tries=0
	while [ "$read_state_tries" -lt 20 ]; do
		for read_state_file in "$dir"/state.*; do
			if [ -f "$read_state_file" ] && own_folder; then
				state=${read_state_file##*/state.}
				return 0
			fi
		done
		read_state_tries=$((read_state_tries + 1))
	done
	state=gone
	return 1
}

# move_state FROM TO: succeeds for one caller only.
move_state() {
	mv -f "$dir/state.$1" "$dir/state.$2" 2>/dev/null
}

# set_window SECONDS: the count starts again, from SECONDS.
set_window() {
	window_round=0
	read -r window_round window_rest <"$dir/window"
	: "$window_rest"
	printf '%s %s %s\n' "$((window_round + 1))" "$$" "$1" >"$dir/window.$$" && mv -f "$dir/window.$$" "$dir/window"
}

