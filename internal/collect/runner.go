package collect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
)

// maxRow is how many commands in a row may hit their limit, and how many may
// lose the connection, before a host is given up: else a hung host would cost
// its limit forty times.
const maxRow = 4

// runner runs items on one host and files their outputs.
type runner struct {
	h        remote.Host
	login    login
	store    *store
	opts     Options
	progress func(Event)
	values   bool        // only what says the values of attributes and tunables
	alone    atomic.Bool // the host does not take several commands in a line

	addressed func(*runner)  // called once its addresses and routes are read; nil: nobody waits for them
	known     *model.Host    // what it said until then; nil: no address
	pings     sync.WaitGroup // to peers behind a router, while the host is read
	pinged    bool           // such pings were sent

	mu       sync.Mutex
	m        *Manifest
	done     int
	total    int
	timeouts int
	losses   int
	stop     error // why no further command is run
}

func newRunner(h remote.Host, l login, s *store, o Options, progress func(Event)) *runner {
	o.Sessions = cmp.Or(o.Sessions, 4)
	if o.Hung == nil {
		o.Hung = &remote.Hung{}
	}
	r := &runner{h: cmp.Or(l.host, h), login: l, store: s, opts: o, progress: progress, m: &Manifest{
		Schema: SchemaSnapshot, Host: h.Name(), Platform: string(l.platform), User: userOf(h, l), Started: time.Now().UTC(),
		Environment: l.environment(), Gaps: slices.Clone(l.gaps),
	}}
	if l.via == viosvrcmd { // an HMC has other things to do
		r.opts.Sessions = 1
		r.alone.Store(true)
	}
	return r
}

// snapshot returns what was read so far.
func (r *runner) snapshot() *Snapshot {
	return &Snapshot{Dir: r.store.dir, top: r.store.dir, Manifest: *r.m, memory: r.store.memory}
}

// output holds what an item printed, as far as later items depend on it.
type output struct {
	text []byte
	ok   bool // it ran to its end with status 0
	hung bool // it reached its limit, now or before
	exit int
}

// run runs items, many in one session and several sessions at once, and returns their
// outputs in order. Records keep the order of the items.
func (r *runner) run(ctx context.Context, items []Item) []output {
	var ask []int // places
	var asked []Item
	for i, it := range items {
		if !r.values || needed(it) {
			ask, asked = append(ask, i), append(asked, it)
		}
	}
	r.mu.Lock()
	at := len(r.m.Commands)
	r.m.Commands = append(r.m.Commands, make([]Record, len(ask))...)
	r.total += len(ask)
	r.mu.Unlock()
	out := make([]output, len(items))
	done := func(n int, rec Record, o output) {
		r.mu.Lock()
		defer r.mu.Unlock()
		i := ask[n]
		r.m.Commands[at+n], out[i] = rec, o
		r.done++
		if r.progress != nil {
			r.progress(Event{Host: r.h.Name(), Line: items[i].Line, Done: r.done, Total: r.total})
		}
	}
	var sessions errgroup.Group
	sessions.SetLimit(r.opts.Sessions)
	for _, g := range r.groups(asked) {
		sessions.Go(func() error {
			r.group(ctx, asked, r.withoutHung(asked, g, done), done)
			return nil
		})
	}
	_ = sessions.Wait() // what went wrong is in the records
	return out
}

// withoutHung leaves out items that hung before: each would leave one more process on a
// sick host.
func (r *runner) withoutHung(items []Item, places []int, done func(n int, rec Record, o output)) []int {
	return slices.DeleteFunc(slices.Clone(places), func(n int) bool {
		err := r.opts.Hung.Err(r.h.Name(), items[n].Line)
		if err == nil {
			return false
		}
		rec, o := r.file(items[n], r.record(items[n]), nil, err)
		done(n, rec, o)
		return true
	})
}

// group asks items in one session. The one that keeps it from its end, since it
// hangs or breaks the shell or the connection, costs no other: a further session
// asks those that come after it.
func (r *runner) group(ctx context.Context, items []Item, left []int, done func(n int, rec Record, o output)) {
	for len(left) > 1 && !r.alone.Load() && r.stopped(ctx) == nil {
		answered, heard, err := r.together(ctx, items, left, done)
		left = slices.DeleteFunc(left, func(n int) bool { return answered[n] })
		switch {
		case len(left) == 0:
			return
		case errors.Is(err, remote.ErrTimeout):
			it := items[left[0]]
			err = remote.Named(err, it.Line)
			r.noteFailure(ctx, err)
			rec, o := r.file(it, r.record(it), nil, err)
			done(left[0], rec, o)
		default:
			if !heard && err == nil {
				r.alone.Store(true)
			}
			rec, o := r.one(ctx, items[left[0]])
			done(left[0], rec, o)
		}
		left = left[1:]
	}
	for _, n := range left {
		rec, o := r.one(ctx, items[n])
		done(n, rec, o)
	}
}

// together asks items in one session and files each answer as it comes.
func (r *runner) together(ctx context.Context, items []Item, group []int, done func(n int, rec Record, o output)) (
	answered map[int]bool, heard bool, err error,
) {
	list := make([]Item, len(group))
	for k, n := range group {
		list[k] = items[n]
		list[k].Line = r.login.command(items[n])
	}
	b := newBatch(list)
	root := list[0].Root && r.login.elevate // as all of its group
	b.restricted = r.login.platform == PlatformHMC || r.login.restricted() && !root
	sent, _ := r.login.sent(Item{Line: b.line(), Root: root})
	answered = map[int]bool{}
	heard, err = b.ask(ctx, r.h, sent.Line, r.opts.MaxOutput, func(k int, res *remote.Result) {
		n := group[k]
		if answered[n] {
			return
		}
		answered[n] = true
		slog.DebugContext(ctx, "answer", "host", r.h.Name(), "line", model.Brief(items[n].Line),
			"took", res.Duration.Round(time.Millisecond), "exit", res.Exit, "bytes", res.Printed)
		r.noteFailure(ctx, nil)
		rec, o := r.file(items[n], r.record(items[n]), res, nil)
		done(n, rec, o)
	})
	return answered, heard, err
}

// record is that of an item that is about to run.
func (r *runner) record(it Item) Record {
	rec := Record{ID: it.ID, Element: it.Element, Attribute: it.Attribute, Line: it.Line, Start: time.Now().UTC(), Exit: -1}
	_, rec.Via = r.login.sent(it)
	return rec
}

// one runs an item; a connection lost in the middle is worth a second try, as
// every item only reads.
func (r *runner) one(ctx context.Context, it Item) (Record, output) {
	rec := r.record(it)
	command, _ := r.login.sent(it)
	if err := r.stopped(ctx); err != nil {
		rec.Error = "not run: " + err.Error()
		return rec, output{exit: -1}
	}
	command.Limit, command.MaxOutput = it.Limit, r.opts.MaxOutput
	res, err := r.h.Run(ctx, command)
	if errors.Is(err, remote.ErrLost) && ctx.Err() == nil {
		res, err = r.h.Run(ctx, command)
	}
	err = remote.Named(err, it.Line) // without the environment in front of it
	r.noteFailure(ctx, err)
	return r.file(it, rec, res, err)
}

// file keeps what became of an item.
func (r *runner) file(it Item, rec Record, res *remote.Result, err error) (Record, output) {
	o := output{exit: -1}
	if res != nil {
		o.text, o.exit = res.Stdout, res.Exit
		rec.Exit, rec.Truncated, rec.DurationMS = res.Exit, res.Truncated, res.Duration.Milliseconds()
		if !res.Start.IsZero() {
			rec.Start = res.Start.UTC()
		}
		if err := r.store.save(&rec, res.Stdout, res.Stderr); err != nil {
			rec.Error = err.Error()
			r.mu.Lock()
			r.stop = cmp.Or(r.stop, err)
			r.mu.Unlock()
		}
	}
	if err != nil {
		rec.Exit, o.exit = -1, -1
		rec.Error = plainError(err)
	}
	o.hung = errors.Is(err, remote.ErrTimeout)
	if o.hung {
		r.opts.Hung.Note(r.h.Name(), it.Line)
	}
	o.ok = err == nil && rec.Error == "" && rec.Exit == 0
	r.gap(it, rec, res)
	return rec, o
}

// noteFailure decides whether a failed command is the end of the host.
func (r *runner) noteFailure(ctx context.Context, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil:
		r.timeouts, r.losses = 0, 0
	case ctx.Err() != nil:
	case errors.Is(err, remote.ErrUnreachable), errors.Is(err, remote.ErrNoAddress), errors.Is(err, remote.ErrAuth),
		errors.Is(err, remote.ErrHostKey), errors.Is(err, remote.ErrConfig):
		r.stop = cmp.Or(r.stop, err)
	case errors.Is(err, remote.ErrLost):
		r.losses++
		if r.losses >= maxRow && r.stop == nil {
			r.stop = fmt.Errorf("%w; given up, the connection broke %d times in a row", err, r.losses)
		}
	case errors.Is(err, remote.ErrTimeout):
		r.timeouts++
		if r.timeouts >= maxRow && r.stop == nil {
			r.stop = fmt.Errorf("%w; given up, %d commands in a row did not end", err, r.timeouts)
		}
	}
}

func (r *runner) stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: interrupted: %w", r.h.Name(), context.Cause(ctx))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop
}

// unsupported is ethtool's answer where a driver has no settings or counters of
// that kind. That they do not exist is not a gap.
var unsupported = parse.Lazy(`(?m)(Operation not supported|[Nn]o stats available)$`)

// gap notes what an item did not give.
func (r *runner) gap(it Item, rec Record, res *remote.Result) {
	why := rec.Error
	switch {
	case why != "":
	case rec.Truncated:
		why = fmt.Sprintf("cut off after %d of %d bytes", len(res.Stdout)+len(res.Stderr), res.Printed)
	case rec.Exit != 0 && it.Partial && len(bytes.TrimSpace(res.Stdout)) > 0:
		return
	case rec.Exit != 0 && strings.HasPrefix(it.Line, "ethtool ") && unsupported.Match(res.Stderr):
		return
	case rec.Exit == 1 && it.ID == "ping" && it.Attribute != "": // it was cut short: whether packets are lost is unknown
		took := time.Duration(rec.DurationMS) * time.Millisecond
		r.addGap("round trip from "+it.Element+" to "+it.Attribute, fmt.Sprintf("not answered within %.1f s", took.Seconds()))
		return
	case rec.Exit != 0:
		why = fmt.Sprintf("exit status %d", rec.Exit)
		if l := firstLine(res.Stderr); l != "" {
			why += ": " + l
		} else if l := firstLine(res.Stdout); l != "" && len(bytes.TrimSpace(res.Stdout)) == len(l) {
			why += ": " + l // a lone line is a message that went to the wrong stream
		}
	default:
		return
	}
	r.addGap(it.Line, why)
}

func (r *runner) addGap(what, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m.Gaps = append(r.m.Gaps, model.Gap{What: model.Brief(what), Why: why})
}

// first limits how many names are looked into, and records a gap for the rest.
func (r *runner) first(what string, names []string, most int) []string {
	if n := len(names); n > most {
		r.addGap(what, fmt.Sprintf("%d of them; only the first %d were looked into", n, most))
		return names[:most]
	}
	return names
}

// plainError is an error without the host and command that the record names
// already.
func plainError(err error) string {
	if e, ok := errors.AsType[*remote.Error](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// firstLine is the first line of a text that says something, fit for a message.
func firstLine(text []byte) string {
	for l := range strings.Lines(string(text[:min(len(text), 4<<10)])) {
		l = strings.Join(strings.FieldsFunc(l, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '\uFFFD' }), " ")
		if l == "" {
			continue
		}
		if c := []rune(l); len(c) > 200 {
			l = string(c[:200]) + "…"
		}
		return l
	}
	return ""
}

// groups parts the items to ask among the sessions: those for root's shell and those
// for the login's, which a restricted one is.
func (r *runner) groups(items []Item) (out [][]int) {
	var of [2][]int
	for i, it := range items {
		at := 0
		if r.login.restricted() && !(it.Root && r.login.elevate) {
			at = 1
		}
		of[at] = append(of[at], i)
	}
	for _, list := range of {
		n := (len(list) + most - 1) / most
		if r.login.platform != model.Linux { // where a login costs more than thirty commands
			n = max(min((len(list)+few-1)/few, r.opts.Sessions), n)
		}
		shares := make([][]int, n)
		for k, i := range list { // in turn, since slow ones stand together
			shares[k%n] = append(shares[k%n], i)
		}
		out = append(out, shares...)
	}
	return out
}

// needed reports whether an item has settings of the network, or says what to ask about;
// sys0 has none.
func needed(it Item) bool {
	e := registry.Find(it.ID)
	return e != nil && (e.Settings && it.Element != "sys0" || it.ID == "ethtool-path" || it.ID == "sys-class-net-list")
}
