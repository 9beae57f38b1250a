package watchdog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/remote"
)

// Phase of a run on a host.
type Phase string

const (
	Armed     Phase = "pending"   // the watchdog counts
	Reverting Phase = "reverting" // values are being restored
	Confirmed Phase = "confirmed"
	Reverted  Phase = "reverted"
	Failed    Phase = "revert-failed" // the host gave up after many tries: log in and see
)

// State holds what a host says of a run.
type State struct {
	Run      string   `json:"run"`
	Plan     string   `json:"plan"`
	Host     string   `json:"host"`
	Hosts    []string `json:"hosts"` // of the whole run
	Phase    Phase    `json:"phase"`
	Left     int      `json:"left_seconds"` // while pending: until the host takes everything back
	Window   int      `json:"-"`            // seconds that each word from outside gives
	Watchers int      `json:"watchers"`     // living watchdogs; 0 while pending: the host was rebooted, or they were killed
	Log      []string `json:"log,omitempty"`
}

// Reasons for errors.Is.
var (
	ErrBusy  = errors.New("another run is pending on this host")
	ErrNoRun = errors.New("is not on this host")
	ErrOver  = errors.New("the run is over on this host")
)

// Client talks to one host's watchdog.
type Client struct {
	Host remote.Host
	// Dial makes a new connection, for when the old one is lost or must not be
	// trusted. Nil: Host is used again.
	Dial func(ctx context.Context) (remote.Host, error)
	// Folder of all runs on the host, the second copies being in a folder of the same name
	// with -boot; empty: Base and Store.
	Folder string
}

func (k Client) base() string { return cmp.Or(k.Folder, Base) }

func (k Client) store() string {
	if k.Folder != "" {
		return k.Folder + "-boot"
	}
	return Store
}

// all asks every run on the host for its state.
func (k Client) all() string {
	return call("all", map[string]any{"Base": k.base(), "Store": k.store()})
}

// Clean removes what finished runs left on the host, of one run or, with an empty
// id, of all: those that were confirmed or rolled back. It gives the runs that it
// removed and those that are not over. The folder goes with the last of them.
func (k Client) Clean(ctx context.Context, id string) (removed []string, left []State, err error) {
	if id != "" && !runID.MatchString(id) {
		return nil, nil, fmt.Errorf("run %q: not an id", id)
	}
	r, err := k.call(ctx, k.Host, call("clean", map[string]any{"Base": k.base(), "Store": k.store(), "ID": id}), patience)
	if err != nil {
		return nil, nil, err
	}
	return r.gone, r.states, nil
}

// root gives a root shell that reads its commands from stdin: padmin's way on
// a VIOS, else the login's own. rksh allows no redirection.
const root = "oem_setup_env || sh"

const prefix = "seaworthy "

// reply holds what a verb said.
type reply struct {
	states []State
	steps  map[int]string // exit status of steps
	output []string
	failed string
	busy   *string
	gone   []string // runs whose records were removed
	listed bool     // all runs were named
}

func (k Client) call(ctx context.Context, h remote.Host, script string, limit time.Duration) (*reply, error) {
	res, err := h.Run(ctx, remote.Command{Line: root, Stdin: strings.NewReader(script), Limit: limit, MaxOutput: 1 << 20})
	if err != nil {
		return nil, remote.On(h.Name(), remote.Named(err, "the root shell of the watchdog"))
	}
	r := parse(h.Name(), string(res.Stdout))
	switch {
	case r.busy != nil:
		return r, fmt.Errorf("%s: run %s: %w (seaworthy confirm or rollback %s)", h.Name(), *r.busy, ErrBusy, *r.busy)
	case strings.HasSuffix(r.failed, ErrNoRun.Error()):
		return r, fmt.Errorf("%s: %s%w", h.Name(), strings.TrimSuffix(r.failed, ErrNoRun.Error()), ErrNoRun)
	case strings.HasSuffix(r.failed, "the run is over"):
		return r, fmt.Errorf("%s: %w: %s", h.Name(), ErrOver, slices.Concat(r.states, []State{{Phase: "not known"}})[0].Phase)
	case r.failed != "":
		return r, fmt.Errorf("%s: %s", h.Name(), r.failed)
	}
	if len(r.states) == 0 && len(r.steps) == 0 && !r.listed {
		return r, fmt.Errorf("%s: the host gave no answer: exit status %d: %.300s", h.Name(), res.Exit, strings.TrimSpace(string(res.Stderr)))
	}
	return r, nil
}

// parse reads a verb's answer. Lines that are not of the protocol are a
// login's greetings.
func parse(host, out string) *reply {
	r := &reply{steps: map[int]string{}}
	var s State
	for line := range strings.Lines(out) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), prefix)
		if !ok {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "removed":
			r.gone = append(r.gone, rest)
		case "run":
			s = State{Run: rest, Host: host}
		case "plan":
			s.Plan = unescape(rest)
		case "host":
			s.Hosts = append(s.Hosts, unescape(rest))
		case "left":
			if n, err := strconv.Atoi(rest); err == nil {
				s.Left = n
			}
		case "window":
			if n, err := strconv.Atoi(rest); err == nil {
				s.Window = n
			}
		case "watchers":
			s.Watchers, _ = strconv.Atoi(rest) // the script's own count; anything else is none
		case "log":
			s.Log = append(s.Log, rest)
		case "state":
			name, _, _ := strings.Cut(rest, ".")
			s.Phase = phases[name]
			if s.Run != "" && s.Phase != "" {
				r.states = append(r.states, s)
			}
			s = State{}
		case "step":
			n, code, _ := strings.Cut(rest, " ")
			if i, err := strconv.Atoi(n); err == nil {
				r.steps[i] = code
			}
		case "out":
			r.output = append(r.output, rest)
		case "listed":
			r.listed = true
		case "busy":
			r.busy = &rest
		case "failed":
			r.failed = rest
		}
	}
	return r
}

// phases by the script's names for them; "reverting" has the process behind it.
var phases = map[string]Phase{"armed": Armed, "confirmed": Confirmed, "reverted": Reverted, "failed": Failed, "reverting": Reverting}

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}
