# ---- 4. Begin ----------------------------------------------------------------

# begin_run: takes the host and starts the watchers; changes nothing yet. In a
# session of its own, so that it ends even if the connection is lost.
begin_run() {
	run_detached setup
	wait $!
	case $? in
	0) show_run ;;
	2)
		begin_other=
		read -r begin_other <"$dir/other"
		say "busy $begin_other"
		mv -f "$dir/state.armed" "$dir/state.reverted"
		remove_empty_run
		;;
	3) fail "no watchdog could be started" ;;
	4) fail "neither init nor systemd could be made to roll back after a reboot: is $store root's alone (mode 700), with room?" ;;
	*) fail "$dir cannot be written: is the disk full?" ;;
	esac
}

# set_up_run: the part of begin_run in a session of its own. Exits 0: ready,
# 2: another run has the host, 3: no watcher, 4: no boot entry, 1: disk.
set_up_run() {
	record_boot
	printf '1 0 %s\n' "$window" >"$dir/window" && : >"$dir/state.armed" || exit 1
	take_lock || {
		# By the time that anybody asks, the other run may be over.
		printf '%s\n' "$lock_holder" >"$dir/other"
		exit 2
	}
	run_detached watch a
	name_watcher a $!
	run_detached watch b
	name_watcher b $!
	setup_tries=0
	until watcher_lives; do
		setup_tries=$((setup_tries + 1))
		[ "$setup_tries" -ge 5 ] && exit 3
		sleep 1
	done
	[ "$tasks" -eq 0 ] || add_boot_entry || {
		drop_boot_entry
		exit 4
	}
	flush_disk
	exit 0
}

# take_lock: takes the host for this run. Returns 1 and sets lock_holder if another
# run has it. The lock is a hard link: making one fails if it is there.
take_lock() {
	printf '%s\n' "$id" >"$dir/lock" || fail "$dir cannot be written"
	lock_tries=0
	while [ "$lock_tries" -lt 3 ]; do
		lock_tries=$((lock_tries + 1))
		find_lost_run && return 1
		ln "$dir/lock" "$base/pending" 2>/dev/null && return 0
		lock_holder=
		read -r lock_holder <"$base/pending" 2>/dev/null
		[ "$lock_holder" = "$id" ] && return 0
		[ -n "$lock_holder" ] && [ "$lock_holder" = "$under" ] && return 0
		ask_needless "$lock_holder" || return 1
		lock_moved=
		if mv -f "$base/pending" "$dir/moved" 2>/dev/null; then
			read -r lock_moved <"$dir/moved"
			# A third run was faster: give it back.
			[ "$lock_moved" = "$lock_holder" ] || ln "$dir/moved" "$base/pending" 2>/dev/null
		fi
	done
	return 1
}

# find_lost_run: is there another run whose folder was removed, so that its lock is
# gone, too? Then it is taken back, as after any question. Sets lock_holder.
find_lost_run() {
	for lost_copy in "$store"/*.sh; do
		lock_holder=${lost_copy##*/}
		lock_holder=${lock_holder%.sh}
		if [ -f "$lost_copy" ] && [ "$lock_holder" != "$id" ] && [ "$lock_holder" != "$under" ]; then
			[ -f "$base/$lock_holder/watchdog.sh" ] || {
				sh "$lost_copy" show </dev/null >/dev/null 2>&1
				return 0
			}
		fi
	done
	return 1
}

# ask_needless RUN: may its lock be taken?
ask_needless() {
	case $1 in
	'' | *[!0-9a-z-]*) return 1 ;;
	esac
	if [ -f "$base/$1/watchdog.sh" ]; then
		sh "$base/$1/watchdog.sh" needless
	else
		[ ! -f "$store/$1.sh" ]
	fi
}

# is_needless: does this run, which holds the lock, no longer need it?
is_needless() {
	read_state
	case $state in
	confirmed | reverted)
		# Anyone who ended it may have been killed before this.
		drop_boot_entry
		return 0
		;;
	gone) return 0 ;;
	armed) ;;
	*) return 1 ;;
	esac
	# Its machine may have been stopped before the first step, or be about to begin it.
	sleep 2
	if ! reboot_undid_all; then
		for needless_file in "$dir"/begun.*; do
			[ -f "$needless_file" ] && return 1
		done
	fi
	watcher_lives && return 1
	move_state armed reverted || return 1
	drop_boot_entry
}

# save_copy: puts the second copy of this script where root alone may write and no
# cleaner goes. Returns 1 if it cannot be made.
save_copy() {
	mkdir "$store" 2>/dev/null
	is_private "$store" 'drwx------*' || return 1
	cp "$dir/watchdog.sh" "$copy.new" && chmod 600 "$copy.new" && cmp -s "$dir/watchdog.sh" "$copy.new" &&
		mv -f "$copy.new" "$copy" && is_private "$copy" '-rw-------*' && return 0
	drop_copy
	return 1
}

# drop_copy: removes the second copy and the notes beside it, and their folder with
# the last one.
drop_copy() {
	rm -f "$copy" "$copy.new" "$store/$id.begun."*
	rmdir "$store" 2>/dev/null
	return 0
}

# is_private PATH MODE: is it this login's own, of that mode, and no link?
is_private() {
	private_line=$(ls -ldn "$1" 2>/dev/null)
	# Split into words.
	# shellcheck disable=SC2086
	set -- "$2" $private_line
	# The mode is a pattern.
	# shellcheck disable=SC2254
	case ${2-} in
	$1) [ "${4-}" = "$(id -u)" ] ;;
	*) return 1 ;;
	esac
}

# print_guard COMMAND: the command line of the boot entry. It runs the second copy
# only if that is root's alone and as it was written; else it removes the entry, by
# COMMAND. The checksum finds a file that a power cut damaged; that nobody else wrote
# it, owner and mode say.
print_guard() {
	guard_uid=$(id -u)
	# The first line is for the boot entry's shell.
	# shellcheck disable=SC2016
	printf '%s' 'o() { set -- $(/bin/ls -ldn "$1"); echo "$1 $3"; }; ' \
		"case \"\$(o \"$store\") \$(o \"$copy\")\" in \"drwx------\"*\" $guard_uid -rw-------\"*\" $guard_uid\") " \
		"[ \"\$(/usr/bin/cksum <\"$copy\")\" = \"$(/usr/bin/cksum <"$copy")\" ] && exec /bin/sh \"$copy\" boot ;; esac; $1"
}

