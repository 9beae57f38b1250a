# ---- 1. States ---------------------------------------------------------------

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

