package watchdog

import (
	"embed"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote/shellword"
)

// Job holds what one host has to do in a run.
type Job struct {
	ID     string // of the run: digits, small letters and -
	Under  string // a run of the same program, which may hold the host's lock meanwhile; empty: none
	Plan   string
	Hosts  []string      // all hosts of the run, so that any of them can name the others
	Tasks  []task.Task   // none: the job only takes the host's lock, until Leave or the window's end
	Window time.Duration // without a word in this time, everything is taken back; whole seconds
	Limit  time.Duration // of one task's commands; whole seconds
}

// Base is the folder of all runs on a host: state, logs and the script that answers.
const Base = "/var/tmp/seaworthy"

// Store is the folder of the second copies of scripts whose run is pending: what init or
// systemd runs after a reboot. Only root may write in /etc, on AIX, VIOS and Linux, and
// neither a cleaner of old files nor a tmpfs takes what lies there.
const Store = "/etc/seaworthy"

var runID = regexp.MustCompile(`^[0-9a-z]+(-[0-9a-z]+)*$`)

var (
	//go:embed script
	scripts embed.FS
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

// Script returns what is left on the host, in a folder for the run below base; its second copy
// is in store.
func (j Job) Script(base, store string) (string, error) {
	var hosts, tasks []string
	for _, h := range j.Hosts {
		hosts = append(hosts, url.PathEscape(h))
	}
	persists := false // on Linux: what a reboot would not take back
	now, kept, err := j.halves()
	if err != nil {
		return "", err
	}
	for i, t := range slices.Concat(now, kept) {
		tasks = append(tasks, t.Functions(i+1))
		persists = persists || slices.ContainsFunc(t.Changes, func(c task.Change) bool { return c.Persist != nil })
	}
	head, parts, err := j.parts()
	if err != nil {
		return "", err
	}
	return call("script", map[string]any{
		"Base": base, "Store": store, "Entry": j.entry(), "ID": j.ID, "Under": j.Under, "Plan": url.PathEscape(j.Plan),
		"Hosts": strings.Join(hosts, " "), "Tasks": tasks, "Kept": len(kept), "Persists": persists,
		"Window": seconds(j.Window), "Limit": seconds(j.Limit), "Prelude": task.Prelude, "Head": head, "Parts": parts,
	}), nil
}

// onAIX says whether the steps are those of an AIX or VIOS host.
func (j Job) onAIX() bool { return len(j.Tasks) > 0 && j.Tasks[0].Login.Platform != model.Linux }

// parts are the table on top of the script, and the sections that this job needs, in the
// order of a run.
func (j Job) parts() (head string, parts []string, err error) {
	names := []string{"head", "states", "commands", "linux", "begin", "watch", "confirm", "revert", "answer"}
	if len(j.Tasks) > 0 {
		names = []string{"head", "states", "commands", "linux", "begin", "step", "watch", "confirm", "revert", "boot", "answer"}
	}
	if j.onAIX() {
		names[slices.Index(names, "linux")] = "aix"
	}
	for _, name := range names {
		text, err := scripts.ReadFile("script/" + name + ".sh")
		if err != nil {
			return "", nil, fmt.Errorf("watchdog: %w", err)
		}
		parts = append(parts, string(text))
	}
	return parts[0], parts[1:], nil
}

// entry names the run's entry of init's table, whose identifiers have at most 14
// characters on AIX, or its systemd unit.
func (j Job) entry() string {
	if !j.onAIX() {
		return "seaworthy-rollback-" + j.ID
	}
	short := strings.ReplaceAll(j.ID, "-", "")
	return "sw" + short[max(0, len(short)-12):]
}

// halves returns what the host does at once, and what it does on confirmation.
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
func (j Job) install(base, store string) (string, error) {
	script, err := j.Script(base, store)
	if err != nil {
		return "", err
	}
	mark := "SEAWORTHY-" + j.ID
	for strings.Contains(script, mark+"\n") {
		mark += "X"
	}
	return call("install", map[string]any{"Base": base, "Store": store, "ID": j.ID, "Mark": mark, "Script": script}), nil
}
