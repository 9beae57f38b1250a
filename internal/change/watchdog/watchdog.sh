umask 077
trap '' HUP
waited=0
unit=/etc/systemd/system/seaworthy-rollback.service

say() {
	printf 'seaworthy %s\n' "$*"
}

die() {
	say "failed $*"
	exit 1
}

note() {
	{ printf '%s %s\n' "$(date)" "$*" >>"$dir/notes"; } 2>/dev/null
}

# look sets $state to that of this run.
look() {
	looks=0
	while [ "$looks" -lt 20 ]; do
		for f in "$dir"/state.*; do
			if [ -f "$f" ]; then
				state=${f##*/state.}
				return 0
			fi
		done
		looks=$((looks + 1))
	done
	state=gone
	return 1
}

# become FROM TO: true for one caller only.
become() {
	mv -f "$dir/state.$1" "$dir/state.$2" 2>/dev/null
}

# ours PID: is it a living process of this run? Linux has its words in a file,
# and its ps reads those of every process to show one. They are none for a
# moment, while it becomes another program, and of one that is dead.
ours() {
	blank=0
	while [ -f "/proc/$1/cmdline" ]; do
		case $(tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null) in
		*"$dir/watchdog.sh"*) return 0 ;;
		?*) return 1 ;;
		esac
		about=
		{ read -r about <"/proc/$1/stat"; } 2>/dev/null
		case $about in
		*') Z '*) return 1 ;;
		esac
		[ "$blank" -ge 3 ] && return 1
		blank=$((blank + 1))
		sleep 1
	done
	[ -f /proc/self/cmdline ] && return 1
	case $(ps -p "$1" -o args= 2>/dev/null) in
	*"$dir/watchdog.sh"*) return 0 ;;
	esac
	return 1
}

# below PID: all processes below it, a line each.
below() {
	ps -e -o pid= -o ppid= | awk -v top="$1" '{ up[$1] = $2 } END {
		in_it[top] = 1
		do {
			more = 0
			for (p in up) if (!(p in in_it) && (up[p] in in_it)) { in_it[p] = 1; more = 1 }
		} while (more)
		for (p in in_it) if (p != top) print p
	}' | sort
}

# end PID: all processes below it, then it: who waits for it may go on at once.
# Who stands still starts no other one, so none is left to change something
# after that.
end() {
	kin=
	scans=0
	kill -STOP "$1" 2>/dev/null
	while [ "$scans" -lt 5 ]; do
		scans=$((scans + 1))
		more=$(below "$1")
		[ "$more" = "$kin" ] && break
		kin=$more
		# The list is of numbers, one argument each.
		# shellcheck disable=SC2086
		kill -STOP $kin 2>/dev/null
	done
	# A method that is killed may leave the database half written: it may end by
	# itself first. Whoever started it stands still, so nothing else begins.
	# shellcheck disable=SC2086
	kill -TERM $kin 2>/dev/null
	# shellcheck disable=SC2086
	kill -CONT $kin 2>/dev/null
	patience=5
	while [ "$patience" -gt 0 ] && living; do
		patience=$((patience - 1))
		sleep 1
	done
	# shellcheck disable=SC2086
	kill -9 $kin 2>/dev/null
	kill -9 "$1" 2>/dev/null
}

# living: does one of $kin live? Those that are dead stay in the list of
# processes, since who stands still does not ask after them.
living() {
	ps -e -o pid= -o args= | awk -v all=" $(printf '%s' "$kin" | tr '\n' ' ') " '
		index(all, " " $1 " ") && !/<defunct>/ { found = 1 }
		END { exit !found }'
}

# bounded SECONDS FUNCTION
bounded() {
	"$2" &
	worker=$!
	# By the second: what it leaves behind when it is killed ends by itself.
	(
		more=$1
		while [ "$more" -gt 0 ]; do
			sleep 1
			more=$((more - 1))
		done
		end "$worker"
	) >/dev/null 2>&1 &
	guard=$!
	wait "$worker"
	ended=$?
	kill -9 "$guard" 2>/dev/null
	wait "$guard" 2>/dev/null
	return "$ended"
}

# detached VERB...: in a session of its own; $! is its process.
detached() {
	if command -v setsid >/dev/null 2>&1; then
		setsid sh "$dir/watchdog.sh" "$@" </dev/null >/dev/null 2>&1 &
	elif command -v perl >/dev/null 2>&1; then
		perl -e 'use POSIX; POSIX::setsid(); exec @ARGV' sh "$dir/watchdog.sh" "$@" </dev/null >/dev/null 2>&1 &
	else
		nohup sh "$dir/watchdog.sh" "$@" </dev/null >/dev/null 2>&1 &
	fi
}

# arm SECONDS: the count begins anew.
arm() {
	round=0
	read -r round who seconds <"$dir/window"
	printf '%s %s %s\n' "$((round + 1))" "$$" "$1" >"$dir/window.$$" && mv -f "$dir/window.$$" "$dir/window"
}

# needless: does this run, which holds the lock, no longer need it?
needless() {
	look
	case $state in
	confirmed | reverted | gone) return 0 ;;
	armed) ;;
	*) return 1 ;;
	esac
	# Set up by someone who was stopped before the first step?
	sleep 2
	restarted || for f in "$dir"/begun.*; do
		[ -f "$f" ] && return 1
	done
	watched && return 1
	become armed reverted
}

# restarted: did a restart of a Linux host take back all that this run has set?
restarted() {
	[ "$persists" = 0 ] || return 1
	n=$((tasks - kept))
	while [ "$n" -lt "$tasks" ]; do
		n=$((n + 1))
		[ -f "$dir/begun.$n" ] && return 1
	done
	was=
	{ read -r was <"$dir/boot"; } 2>/dev/null
	{ read -r now </proc/sys/kernel/random/boot_id; } 2>/dev/null
	[ -n "$was" ] && [ "$was" != "$now" ]
}

# stale RUN: asks another run whether it needs the lock.
stale() {
	case $1 in
	'' | *[!0-9a-z-]*) return 1 ;;
	esac
	[ -f "$base/$1/watchdog.sh" ] || return 0
	sh "$base/$1/watchdog.sh" needless
}

lock() {
	printf '%s\n' "$id" >"$dir/lock" || die "$dir cannot be written"
	locks=0
	while [ "$locks" -lt 3 ]; do
		locks=$((locks + 1))
		ln "$dir/lock" "$base/pending" 2>/dev/null && return 0
		other=
		read -r other <"$base/pending" 2>/dev/null
		[ "$other" = "$id" ] && return 0
		[ -n "$other" ] && [ "$other" = "$under" ] && return 0
		stale "$other" || return 1
		moved=
		if mv -f "$base/pending" "$dir/moved" 2>/dev/null; then
			read -r moved <"$dir/moved"
			# It was somebody's who came first: give it back.
			[ "$moved" = "$other" ] || ln "$dir/moved" "$base/pending" 2>/dev/null
		fi
	done
	return 1
}

release() {
	holder=
	read -r holder <"$base/pending" 2>/dev/null
	[ "$holder" = "$id" ] || return 0
	dropout
	mv -f "$base/pending" "$dir/released" 2>/dev/null || {
		# Another of this run has let go of it, or there is no room for a name.
		holder=
		read -r holder <"$base/pending" 2>/dev/null
		[ "$holder" = "$id" ] && rm -f "$base/pending"
		return 0
	}
	holder=$id
	{ read -r holder <"$dir/released"; } 2>/dev/null
	# Somebody else's, who found ours to be needless: give it back.
	[ "$holder" = "$id" ] || ln "$dir/released" "$base/pending" 2>/dev/null
}

watched() {
	for f in "$dir"/watch.*; do
		if [ -f "$f" ]; then
			read -r pid <"$f" && ours "$pid" && return 0
		fi
	done
	return 1
}

# restore undoes what was begun, last first.
restore() {
	log=$dir/log
	{ printf '\n' >>"$log"; } 2>/dev/null || log=/dev/null
	wrong=0
	i=$tasks
	while [ "$i" -gt 0 ]; do
		if [ -f "$dir/begun.$i" ]; then
			# After some tries values that read back right are enough.
			bounded "$limit" "undo_$i" >>"$log" 2>&1 || [ "$tries" -ge 5 ] || wrong=1
			bounded "$limit" "undone_$i" >>"$log" 2>&1 || wrong=1
		fi
		i=$((i - 1))
	done
	return "$wrong"
}

# back takes everything back; the caller has made the state reverting.$$.
back() {
	note "restoring the earlier values: $1"
	for f in "$dir"/step.*.pid; do
		if [ -f "$f" ]; then
			read -r pid <"$f" && ours "$pid" && end "$pid"
		fi
	done
	tries=0
	until restore; do
		tries=$((tries + 1))
		if [ "$tries" -ge 60 ]; then
			note "given up after $tries tries: see $dir/log on this host"
			become "reverting.$$" failed
			return 1
		fi
		sleep 2
	done
	note "restored"
	become "reverting.$$" reverted
	had=
	release
}

take() {
	look
	case $state in
	armed | confirmed | failed) become "$state" "reverting.$$" && back "$1" ;;
	reverting.*) ours "${state#reverting.}" || { become "$state" "reverting.$$" && back "$1"; } ;;
	esac
}

# watcher a|b PID: who watches. At once, so that nobody reads half of it.
watcher() {
	printf '%s\n' "$2" >"$dir/pid.$1.$$" && mv -f "$dir/pid.$1.$$" "$dir/watch.$1"
}

# level: count seconds of ticks took a little longer than that. The clock shows
# how much, unless it was set meanwhile.
level() {
	now=$(date +%s 2>/dev/null)
	case $now in
	'' | *[!0-9]*) now= ;;
	esac
	if [ -n "$now" ] && [ -n "$was" ]; then
		over=$((now - was - count))
		[ "$over" -gt 0 ] && [ "$over" -le 3 ] && left=$((left - over))
	fi
	was=$now
	count=0
}

# watch a|b: b stands in for a, a second later.
watch() {
	late=0
	count=10
	was=
	[ "$1" = b ] && late=1
	watcher "$1" $$
	seen=
	left=$window
	tick=1
	had=
	first=
	# A second look: files that are only just being renamed are there again.
	while look || { sleep 1 && look; }; do
		remember
		case $state in
		armed)
			if read -r round who seconds <"$dir/window" && [ "$round $who" != "$seen" ]; then
				seen="$round $who"
				left=$((seconds + late))
				tick=1
				[ "$seconds" -gt 100 ] && tick=$((1 + late))
			fi
			if [ "$left" -le 0 ]; then
				take "nobody confirmed in time"
				continue
			fi
			[ "$tick" -gt "$left" ] && tick=$left
			;;
		reverting.*)
			take "who was at it is gone"
			tick=1
			;;
		*) break ;;
		esac
		{ printf '%s\n' "$left" >"$dir/left.$1"; } 2>/dev/null
		sleep "$tick"
		left=$((left - tick))
		count=$((count + tick))
		[ "$count" -lt 10 ] || level
	done
	# Who ended the run may have been killed before this.
	case $state in
	confirmed | reverted) release ;;
	gone) [ -z "$had" ] || lost "$1" ;;
	esac
	vanish
}

# remember keeps in memory what a cleaner of old files may remove.
remember() {
	had=
	for f in "$dir"/begun.*; do
		[ -f "$f" ] && had="$had ${f##*/begun.} "
	done
	{ read -r first <"$dir/watch.a"; } 2>/dev/null
}

# lost a|b: nobody can confirm a run whose files are gone, so it is taken back
# from memory. b lets a do it, and looks after it.
lost() {
	while [ "$1" = b ] && [ -n "$first" ] && kill -0 "$first" 2>/dev/null; do
		sleep 1
	done
	tries=0
	until recall; do
		tries=$((tries + 1))
		[ "$tries" -lt 60 ] || return 1
		sleep 2
	done
}

# recall undoes what was begun and is not undone, last first.
recall() {
	wrong=0
	i=$tasks
	while [ "$i" -gt 0 ]; do
		case $had in
		*" $i "*)
			bounded "$limit" "undone_$i" >/dev/null 2>&1 || bounded "$limit" "undo_$i" >/dev/null 2>&1
			bounded "$limit" "undone_$i" >/dev/null 2>&1 || wrong=1
			;;
		esac
		i=$((i - 1))
	done
	return "$wrong"
}

# enroll: a restart ends the watchers, so have init or systemd look after the run.
# On Linux a restart alone takes back what is not kept for the next boot, or not yet.
enroll() {
	if command -v mkitab >/dev/null 2>&1; then
		rmitab seaworthy >/dev/null 2>&1
		mkitab "seaworthy:2:once:/bin/sh $dir/watchdog.sh boot >/dev/null 2>&1 </dev/null"
	elif [ "$persists" = 1 ]; then
		[ -d /run/systemd/system ] || return 1
		printf '%s\n' '[Unit]' "Description=rollback of seaworthy's run $id, unless it was confirmed" \
			'Wants=network-online.target' 'After=network-online.target multi-user.target' '[Service]' 'Type=oneshot' \
			"ExecStart=/bin/sh $dir/watchdog.sh boot" '[Install]' 'WantedBy=multi-user.target' >"$unit.new" &&
			chmod 644 "$unit.new" && mv -f "$unit.new" "$unit" && systemctl --quiet enable "${unit##*/}"
	fi
}

# dropout takes back what enroll made.
dropout() {
	command -v rmitab >/dev/null 2>&1 && rmitab seaworthy >/dev/null 2>&1
	if [ -f "$unit" ]; then
		systemctl --quiet disable "${unit##*/}" >/dev/null 2>&1
		rm -f "$unit"
	fi
}

# settle writes to the disk what a power cut would lose, on Linux.
settle() {
	[ -d /proc/self ] || return 0
	[ "$persists$kept" = 00 ] || bounded 10 flush
}

flush() {
	sync -f "$dir" /etc 2>/dev/null || sync
}

# setup runs once, before anything is changed.
setup() {
	cat /proc/sys/kernel/random/boot_id >"$dir/boot" 2>/dev/null
	printf '1 0 %s\n' "$window" >"$dir/window" && : >"$dir/state.armed" || exit 1
	lock || {
		# By the time that anybody asks, the other one may be over.
		printf '%s\n' "$other" >"$dir/other"
		exit 2
	}
	detached watch a
	watcher a $!
	detached watch b
	watcher b $!
	# At the moment when they begin they can be no one's yet.
	tries=0
	until watched; do
		tries=$((tries + 1))
		[ "$tries" -ge 5 ] && exit 3
		sleep 1
	done
	[ "$tasks" -eq 0 ] || enroll || exit 4
	settle
	exit 0
}

begin() {
	detached setup
	wait $!
	case $? in
	0) show ;;
	2)
		other=
		read -r other <"$dir/other"
		say "busy $other"
		mv -f "$dir/state.armed" "$dir/state.reverted"
		vanish
		;;
	3) die "no watchdog could be started" ;;
	4) die "neither init (mkitab) nor systemd could be made to roll back after a restart" ;;
	*) die "$dir cannot be written: is the disk full?" ;;
	esac
}

# step N, in a process of its own.
step() {
	printf '%s\n' $$ >"$dir/step.$1.pid" || exit 1
	look
	[ "$state" = armed ] || exit 1
	watched || exit 1
	arm "$((limit + window))" || exit 1
	: >"$dir/begun.$1" || exit 1
	result=0
	bounded "$limit" "do_$1" >"$dir/step.$1.out" 2>&1 || result=1
	if [ "$result" -eq 0 ]; then
		"after_$1" >>"$dir/step.$1.out" 2>&1 || result=1
	fi
	arm "$window"
	printf '%s\n' "$result" >"$dir/step.$1.new" && mv -f "$dir/step.$1.new" "$dir/step.$1.exit"
}

# start N: a step that goes on if this session ends.
start() {
	look
	[ "$state" = armed ] || {
		show
		die "the run is over"
	}
	detached step "$1"
	child=$!
	wait "$child"
	waited=10
	result "$1"
}

# result N: how the step ended. Who asks after a lost connection may come
# before the step has begun.
result() {
	while [ ! -f "$dir/step.$1.exit" ]; do
		pid=
		read -r pid <"$dir/step.$1.pid" 2>/dev/null
		if [ -n "$pid" ]; then
			ours "$pid" || break
		elif [ "$waited" -ge 10 ]; then
			break
		fi
		waited=$((waited + 1))
		sleep 1
	done
	code=none
	[ -f "$dir/step.$1.exit" ] && read -r code <"$dir/step.$1.exit"
	if [ "$code" != 0 ] && [ -f "$dir/step.$1.out" ]; then
		tail -n 20 "$dir/step.$1.out" | sed 's/^/seaworthy out /'
	fi
	say "step $1 $code"
}

# stepping: is a step under way? It has time of its own.
stepping() {
	for f in "$dir"/step.*.pid; do
		if [ -f "$f" ] && [ ! -f "${f%.pid}.exit" ]; then
			read -r pid <"$f" && ours "$pid" && return 0
		fi
	done
	return 1
}

extend() {
	look
	if [ "$state" = armed ] && ! stepping; then
		arm "$window" || die "$dir cannot be written: is the disk full?"
	fi
	show
}

# mine: a run without steps only holds the lock; who began it makes its steps.
mine() {
	[ "$tasks" -gt 0 ] || die "the steps of run $id are made by the machine that began it: confirm or roll back there"
}

# leave gives back the lock of a run without steps.
leave() {
	[ "$tasks" -eq 0 ] || die "run $id has steps: revert or confirm it"
	become armed reverted
	release
	# Not read from its folder: a watcher may have removed that by now.
	say "run $id"
	say "state reverted"
	vanish
}

# vanish leaves nothing of a run without steps.
vanish() {
	[ "$tasks" -eq 0 ] || return 0
	rm -rf "$dir" 2>/dev/null || rm -rf "$dir"
	rmdir "$base" 2>/dev/null
}

# keep writes what waits for the confirmation: the values of the next boot, where
# nothing would take them back after a restart. Each is a step like others, so that it
# goes on without this session and is ended before a rollback.
keep() {
	place=$((tasks - kept))
	while [ "$place" -lt "$tasks" ]; do
		place=$((place + 1))
		look
		[ "$state" = armed ] || return 0
		waited=0
		if mkdir "$dir/keep.$place" 2>/dev/null; then
			detached step "$place"
			wait $!
			waited=10
		fi
		result "$place"
		[ "$code" = 0 ] || die "the values of the next boot cannot be written: roll back, or everything is taken back once the time is over"
	done
}

confirm() {
	mine
	keep
	settle
	become armed confirmed && release
	dismiss
	settle
	show
}

# dismiss ends the watchers of a run that is over, before its folder is removed: they
# would take that for a loss, and undo what another run has changed since.
dismiss() {
	look
	for f in "$dir"/watch.*; do
		pid=
		case $state in
		confirmed | reverted) [ -f "$f" ] && read -r pid <"$f" ;;
		esac
		[ -n "$pid" ] && ours "$pid" && kill "$pid" 2>/dev/null
	done
}

revert() {
	mine
	look
	case $state in
	confirmed | failed)
		lock || {
			say "busy $other"
			return
		}
		;;
	esac
	detached take "asked for"
	wait $!
	while look; do
		case $state in
		reverting.*)
			ours "${state#reverting.}" || detached take "who was at it is gone"
			sleep 1
			;;
		*) break ;;
		esac
	done
	show
}

# boot is run by init or systemd after a restart. No watcher survives one: while
# one lives, init was only asked to read its table again.
boot() {
	for f in "$dir"/watch.*; do
		pid=
		[ -f "$f" ] && read -r pid <"$f"
		[ -n "$pid" ] && [ "$pid" != $$ ] && ours "$pid" && return
	done
	look
	case $state in
	armed | reverting.*)
		# What says which steps were begun may lie on another disk than what they wrote,
		# and be lost in a power cut.
		i=$tasks
		while [ "$persists" = 1 ] && [ "$i" -gt 0 ]; do
			: >"$dir/begun.$i"
			i=$((i - 1))
		done
		become "$state" "reverting.$$" && back "the host was restarted"
		;;
	confirmed | reverted) release ;;
	esac
}

show() {
	look
	say "run $id"
	say "plan $plan"
	for host in $hosts; do
		say "host $host"
	done
	count=0
	for f in "$dir"/watch.*; do
		if [ -f "$f" ]; then
			read -r pid <"$f" && ours "$pid" && count=$((count + 1))
		fi
	done
	say "watchers $count"
	if [ -f "$dir/left.a" ]; then
		read -r left <"$dir/left.a"
		say "left $left"
	fi
	[ -f "$dir/notes" ] && tail -n 4 "$dir/notes" | sed 's/^/seaworthy log /'
	say "state $state"
}

"$@"
