# ---- 10. Answers -------------------------------------------------------------

# show_run: says what there is to know, its state last.
show_run() {
	read_state
	say "run $id"
	say "plan $plan"
	for show_host in $hosts; do
		say "host $show_host"
	done
	show_count=0
	for show_file in "$dir"/watch.*; do
		if [ -f "$show_file" ]; then
			read -r show_pid <"$show_file" && is_ours "$show_pid" && show_count=$((show_count + 1))
		fi
	done
	say "watchers $show_count"
	say "window $window"
	if [ -f "$dir/left.a" ]; then
		read -r show_left <"$dir/left.a"
		say "left $show_left"
	fi
	[ -f "$dir/notes" ] && tail -n 4 "$dir/notes" | sed 's/^/seaworthy log /'
	say "state $state"
}

