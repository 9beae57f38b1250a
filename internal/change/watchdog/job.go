package watchdog

import (
	_ "embed"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/remote/shellword"
)

// Job is what one host has to do in a run.
type Job struct {
	ID     string // of the run: digits, small letters and -
	Under  string // a run of the same program, which may hold the host's lock meanwhile; empty: none
	Plan   string
	Hosts  []string      // all hosts of the run, so that any of them can name the others
	Tasks  []task.Task   // none: the job only takes the host's lock, until Leave or the window's end
	Window time.Duration // without a word in this time, everything is taken back; whole seconds
	Limit  time.Duration // of one task's commands; whole seconds
}

// Base is the folder of all runs on a host. It outlives a restart.
const Base = "/var/tmp/seaworthy"

var runID = regexp.MustCompile(`^[0-9a-z]+(-[0-9a-z]+)*$`)

var (
	//go:embed watchdog.sh
	subcommands string // what the script can be asked for
	//go:embed calls.sh.tmpl
	callsText string
	calls     = template.Must(template.New("").Funcs(template.FuncMap{"quote": shellword.Quote}).Parse(callsText))
)

// call writes what is sent for a question to a host. All of it is one list of
// commands: nothing runs before the whole has arrived. The folder of all runs
// must be this login's, since what lies there is run.
func call(name string, with map[string]any) string {
	var b strings.Builder
	if err := calls.ExecuteTemplate(&b, name, with); err != nil {
		panic(fmt.Errorf("watchdog: %w", err)) // the templates are part of the program
	}
	return b.String()
}

// Script is what is left on the host.
func (j Job) Script(base string) (string, error) {
	var hosts, tasks []string
	for _, h := range j.Hosts {
		hosts = append(hosts, url.PathEscape(h))
	}
	persists := false // on Linux: what a restart would not take back
	now, kept, err := j.halves()
	if err != nil {
		return "", err
	}
	for i, t := range slices.Concat(now, kept) {
		tasks = append(tasks, t.Functions(i+1))
		persists = persists || slices.ContainsFunc(t.Changes, func(c task.Change) bool { return c.Persist != nil })
	}
	return call("script", map[string]any{
		"Base": base, "ID": j.ID, "Under": j.Under, "Plan": url.PathEscape(j.Plan), "Hosts": strings.Join(hosts, " "), "Tasks": tasks,
		"Kept": len(kept), "Persists": persists,
		"Window": seconds(j.Window), "Limit": seconds(j.Limit), "Prelude": task.Prelude, "Subcommands": subcommands,
	}), nil
}

// halves are what the host does at once, and what it does on confirmation.
func (j Job) halves() (now, kept []task.Task, err error) {
	for _, t := range j.Tasks {
		first, then, err := t.Halves()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", t.ID, err)
		}
		now = append(now, first)
		if then != nil {
			kept = append(kept, *then)
		}
	}
	return now, kept, nil
}

func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// install is the whole of what Begin sends.
func (j Job) install(base string) (string, error) {
	script, err := j.Script(base)
	if err != nil {
		return "", err
	}
	mark := "SEAWORTHY-" + j.ID
	for strings.Contains(script, mark+"\n") {
		mark += "X"
	}
	return call("install", map[string]any{"Base": base, "ID": j.ID, "Mark": mark, "Script": script}), nil
}
