package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/shellword"
)

// detector asks small questions and keeps the first failure to connect.
type detector struct {
	h    remote.Host
	wrap bool
	err  error
}

// ask returns what a line printed; ok is false if it failed. name is the line in an error.
func (d *detector) ask(ctx context.Context, line, name string) (out string, ok bool) {
	line = locale + "; " + line
	if d.wrap {
		line = "sh -c " + shellword.Quote(line)
	}
	return d.answer(ctx, remote.Command{Line: line}, name)
}

func (d *detector) answer(ctx context.Context, c remote.Command, name string) (out string, ok bool) {
	c.Limit, c.MaxOutput = registry.Quick, 64<<10
	res, err := d.h.Run(ctx, c)
	if err != nil {
		d.err = cmp.Or(d.err, remote.Named(err, name))
		return "", false
	}
	return strings.TrimSpace(string(res.Stdout)), res.Exit == 0
}

// inOneLine asks several questions in one session, of any shell that knows $?. ok is
// false if it was not understood.
func (d *detector) inOneLine(ctx context.Context, lines ...string) (out []string, ok bool) {
	b := newBatch(make([]Item, len(lines)))
	for i, l := range lines {
		b.items[i].Line = l
	}
	b.restricted = true // who knows
	text, _ := d.ask(ctx, b.line(), strings.Join(lines, "; "))
	answers := b.answers(&remote.Result{Stdout: []byte(text + "\n")})
	out = make([]string, len(lines))
	for i, res := range answers {
		if res.Exit == 0 {
			out[i] = strings.TrimSpace(string(res.Stdout))
		}
	}
	return out, answers[0] != nil
}

// each asks several questions, each in a session of its own, up to the first failure to connect.
func (d *detector) each(ctx context.Context, lines ...string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if s, ok := d.ask(ctx, l, l); ok {
			out[i] = s
		}
		if d.err != nil {
			break
		}
	}
	return out
}

// hints are what the user said of a host.
type hints struct {
	platform    model.Platform // what it is if it cannot be found out
	noRootShell bool           // padmin of a VIOS is not to use oem_setup_env
}

// forbids says why padmin is not to ask for a shell of root; empty: it is.
func (s hints) forbids(h remote.Host) string {
	b, _ := h.(*become.Host)
	switch {
	case s.noRootShell:
		return "--no-root-shell was given"
	case b != nil && b.Method() == become.None:
		return "become is none"
	}
	return ""
}

// detect finds out what a host is. The error is about reaching it; a host that
// answers but is nothing known has platform unknown.
func detect(ctx context.Context, h remote.Host, said hints) (login, error) {
	if through, ok := h.(*throughHMC); ok {
		return through.detect(ctx)
	}
	as, refused, err := asRoot(ctx, h)
	if err != nil {
		return login{}, err
	}
	l, err := identify(ctx, as, said)
	l.host = as
	switch b, _ := h.(*become.Host); {
	case err != nil || l.platform != model.AIX && refused == nil:
	case refused != nil:
		l.single, l.via = singly(ctx, b)
		l.gaps = append(l.gaps, model.Gap{What: rootGap, Why: strings.TrimPrefix(refused.Error(), h.Name()+": ")})
	case !l.root:
		l.gaps = append(l.gaps, model.Gap{What: rootGap, Why: fmt.Sprintf("the login %s is not root: what ordinary users "+
			"are refused is missing (become: sudo in the inventory, or --become sudo)", remote.User(h))})
	case b != nil && as == h:
		l.via = string(b.Method())
	}
	if err == nil {
		slog.DebugContext(ctx, "host identified", "host", h.Name(), "platform", l.platform, "root", l.root,
			"oem_setup_env", l.elevate, "sh", l.wrap)
	}
	return l, err
}

// detect asks for the level of the VIOS alone: uname and id are no commands of ioscli.
func (h *throughHMC) detect(ctx context.Context) (login, error) {
	res, err := h.Run(ctx, remote.Command{Line: "ioscli ioslevel", Limit: registry.Slow, MaxOutput: 64 << 10})
	if err != nil {
		return login{}, err
	}
	said := firstLine(res.Stdout)
	if res.Exit != 0 || !isLevel(said) {
		return login{}, fmt.Errorf("%s: viosvrcmd on %s does not run ioslevel: %s "+
			"(it needs a login whose role may run viosvrcmd, and an active RMC connection to the VIOS)",
			h.Name(), h.Host.Name(), cmp.Or(firstLine(res.Stderr), said, fmt.Sprintf("exit status %d", res.Exit)))
	}
	return login{platform: model.VIOS, host: h, via: viosvrcmd, gaps: []model.Gap{{What: oemGap,
		Why: "not used, since viosvrcmd runs commands of ioscli alone: " + padminAlone + "; " +
			"collect it by a login of padmin or root for the rest"}}}, nil
}

// asRoot is the host whose commands run as root, or its plain login and why it is
// not root. The error is about reaching it.
func asRoot(ctx context.Context, h remote.Host) (as remote.Host, refused, err error) {
	b, ok := h.(*become.Host)
	if !ok {
		return h, nil, nil
	}
	err = b.Ready(ctx)
	if errors.Is(err, become.ErrNotRoot) {
		return b.Host, err, nil
	}
	return h, nil, err
}

// singly is how single commands are run as root where a shell of root is refused;
// nil if they are refused too.
func singly(ctx context.Context, b *become.Host) (single func(line string) string, via string) {
	if b.Method().Single("") == "" {
		return nil, ""
	}
	// Asking for the list is not an attempt that anybody is warned of.
	res, err := b.Host.Run(ctx, remote.Command{Line: b.Method().Single("-l entstat -d en0"), Limit: registry.Quick})
	if err != nil || res.Exit != 0 {
		return nil, ""
	}
	return b.Method().Single, string(b.Method())
}

func identify(ctx context.Context, h remote.Host, said hints) (login, error) {
	l := login{platform: model.Unknown}
	d := &detector{h: h}
	forbidden := said.forbids(h)
	gate := &detector{h: h}
	elevates := sync.OnceValue(func() bool {
		asked := remote.Work{Setup: locale, Steps: []remote.Step{{Line: "id -u", Root: true}}}
		out, ok := gate.answer(ctx, asked.Command(), asked.Steps[0].String())
		lines := strings.Fields(out)
		return ok && len(lines) > 0 && lines[len(lines)-1] == "0"
	})
	if remote.User(h) == "padmin" && forbidden == "" {
		var early sync.WaitGroup // it takes as long as all the rest
		early.Go(func() { _ = elevates() })
		defer early.Wait()
	}
	const level = "ioscli ioslevel || /usr/ios/cli/ioscli ioslevel"
	for _, d.wrap = range []bool{false, true} {
		answers, ok := d.inOneLine(ctx, "uname -s", "id -u", "uname -m", level, "lshmc -V")
		if !ok && d.err == nil {
			answers = d.each(ctx, "uname -s", "id -u", "uname -m", "ioscli ioslevel", "lshmc -V", "/usr/ios/cli/ioscli ioslevel")
			if !isLevel(answers[3]) {
				answers[3] = answers[5]
			}
		}
		if d.err != nil {
			return l, d.err
		}
		// padmin's shell is the restricted one, whatever its number.
		l.root, l.machine, l.wrap = answers[1] == "0" && remote.User(h) != "padmin", answers[2], d.wrap
		if answers[0] != "AIX" && strings.Contains(answers[4], "Release") { // an HMC is Linux, whether it says so or not
			l.platform, l.root = PlatformHMC, false
			return l, nil
		}
		if answers[0] == "Linux" {
			l.platform = model.Linux
			return l, nil
		}
		if isLevel(answers[3]) {
			l.platform = model.VIOS
		} else if answers[0] == "AIX" {
			l.platform = model.AIX
		}
		if l.platform != model.Unknown {
			break
		}
	}
	if l.platform == model.Unknown {
		l.wrap, l.platform = false, cmp.Or(said.platform, model.Unknown)
	}
	if !l.restricted() {
		return l, nil
	}
	err := l.elevateIfAllowed(forbidden, elevates, gate)
	return l, err
}

// elevateIfAllowed notes whether the restricted login gets a shell of root, and why
// not. forbidden says why it is not to be asked; elevates asks through gate, which keeps its error.
func (l *login) elevateIfAllowed(forbidden string, elevates func() bool, gate *detector) error {
	if forbidden != "" {
		l.gaps = append(l.gaps, model.Gap{What: oemGap,
			Why: "not used, since " + forbidden + ": " + padminAlone})
		return nil
	}
	l.elevate = elevates()
	if gate.err != nil {
		return gate.err
	}
	if !l.elevate {
		l.gaps = append(l.gaps, model.Gap{What: oemGap,
			Why: "refused for this user: " + padminAlone + "; log in as padmin or root for the rest"})
	}
	return nil
}

// padminAlone says what is lost on a VIOS without a shell of root.
const padminAlone = "only what padmin may read was collected, and so no protocol counters (netstat -s), mbufs (netstat -m), " +
	"processors (lparstat), error log (errpt), fixes (emgr -l), neighbours (arp -an) and vNIC statistics (vnicstat)"

// isLevel recognises what ioslevel prints: 2.2.6.21, 4.1.0.10.
func isLevel(s string) bool {
	return len(s) > 0 && len(s) < 40 && s[0] >= '0' && s[0] <= '9' && strings.Count(s, ".") >= 2 && strings.Trim(s, "0123456789.") == ""
}
