package watchdog

import (
	_ "embed"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"seaworthy/change/task"
	"seaworthy/remote/shellword"
)

// Job is what one host has to do in a run.
type Job struct {
	ID     string // of the run: digits, small letters and -
	Plan   string
	Hosts  []string // all hosts of the run, so that any of them can name the others
	Tasks  []task.Task
	Window time.Duration // without a word in this time, everything is taken back; whole seconds
	Limit  time.Duration // of one task's commands; whole seconds
}

// Base is the folder of all runs on a host. It outlives a restart.
const Base = "/var/tmp/seaworthy"

var runID = regexp.MustCompile(`^[0-9a-z]+(-[0-9a-z]+)*$`)

//go:embed watchdog.sh
var subcommands string // what the script can be asked for

const header = `#!/bin/sh
# seaworthy: a change under way, and its automatic rollback. Leave this folder alone;
# to roll back now: sh %s/%s/watchdog.sh revert
# Functions are called by name:
# shellcheck disable=SC2317
`

// Script is what is left on the host.
func (j Job) Script(base string) string {
	var hosts []string
	for _, h := range j.Hosts {
		hosts = append(hosts, url.PathEscape(h))
	}
	var b strings.Builder
	fmt.Fprintf(&b, header, shellword.Quote(base), j.ID)
	b.WriteString(task.Prelude)
	for _, x := range []struct {
		name  string
		value any
	}{
		{"id", j.ID}, {"plan", shellword.Quote(url.PathEscape(j.Plan))}, {"hosts", shellword.Quote(strings.Join(hosts, " "))},
		{"tasks", len(j.Tasks)}, {"window", seconds(j.Window)}, {"limit", seconds(j.Limit)},
		{"base", shellword.Quote(base)}, {"dir", "$base/$id"},
	} {
		fmt.Fprintf(&b, "%s=%v\n", x.name, x.value)
	}
	for i, t := range j.Tasks {
		b.WriteString("\n" + t.Functions(i+1))
	}
	b.WriteString("\n" + subcommands)
	return b.String()
}

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// private makes sure that the folder of all runs is this login's and nobody
// else can write to it: what lies there is run.
func private(base string) string { return "base=" + shellword.Quote(base) + "\n" + guard }

const guard = `unalias -a 2>/dev/null
unset ENV
umask 077
deny() {
	printf 'seaworthy failed %s\n' "$*"
	exit 1
}
own() {
	[ -d "$base" ] && [ ! -h "$base" ] || return 1
	set -- $(ls -ldn "$base")
	case $1 in drwx------*) ;; *) return 1 ;; esac
	[ "$3" = "$(id -u)" ]
}
`

// install is the whole of what Begin sends: nothing of it runs before all of
// it has arrived.
func (j Job) install(base string) (string, error) {
	script := j.Script(base)
	mark := "SEAWORTHY-" + j.ID
	for strings.Contains(script, mark+"\n") {
		mark += "X"
	}
	if !strings.HasSuffix(script, "\n") {
		return "", fmt.Errorf("run %s: the script has no end", j.ID)
	}
	return private(base) + `{
[ -d "$base" ] || mkdir "$base" 2>/dev/null
own || deny "$base is not a folder that this login owns and nobody else can use (mode 700): see who owns it and move it away"
set -- "$base"/*
[ $# -lt 12 ] || ls -t "$base" | sed -n '12,$p' | while read -r old; do
	case $old in *[!0-9a-z-]*|pending) continue ;; esac
	[ -f "$base/$old/state.confirmed" ] || [ -f "$base/$old/state.reverted" ] || continue
	rm -rf "$base/$old"
done
mkdir "$base/` + j.ID + `" || deny "$base cannot be written: is the disk full?"
full() {
	rm -rf "$base/` + j.ID + `"
	deny "$base cannot be written: is the disk full? (some shells need room in /tmp too)"
}
cat >"$base/` + j.ID + `/watchdog.new" <<'` + mark + `' || full
` + script + mark + `
mv -f "$base/` + j.ID + `/watchdog.new" "$base/` + j.ID + `/watchdog.sh" || full
exec sh "$base/` + j.ID + `/watchdog.sh" begin </dev/null
}
`, nil
}

// ask is a verb of a run that is on the host already.
func ask(base, id string, verb ...string) string {
	for i, v := range verb {
		verb[i] = shellword.Quote(v)
	}
	return private(base) + `{
own || deny "run ` + id + ` is not on this host"
[ -f "$base/` + id + `/watchdog.sh" ] || deny "run ` + id + ` is not on this host"
exec sh "$base/` + id + `/watchdog.sh" ` + strings.Join(verb, " ") + ` </dev/null
}
`
}

// all asks every run on the host for its state.
func all(base string) string {
	return private(base) + `{
[ -d "$base" ] || exit 0
own || deny "$base is not a folder that this login owns and nobody else can use (mode 700): see who owns it and move it away"
for run in "$base"/*/watchdog.sh; do
	[ -f "$run" ] && sh "$run" show </dev/null
done
exit 0
}
`
}
