package collect

import (
	"context"
	"time"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// Identity holds what a host turned out to be and how it is talked to.
type Identity struct{ login login }

// Identify finds that out. The error is about reaching the host; hint is the
// platform that the inventory file names, or empty.
func Identify(ctx context.Context, h remote.Host, hint model.Platform) (Identity, error) {
	l, err := detect(ctx, h, hints{platform: hint})
	return Identity{l}, err
}

// Platform of the host; inventory.Unknown if it is none that is known.
func (i Identity) Platform() model.Platform { return i.login.platform }

// Host runs commands as root, or as the login where that is refused.
func (i Identity) Host() remote.Host { return i.login.host }

// Raw is the login itself, with what its login files print.
func (i Identity) Raw() remote.Host {
	if raw, ok := i.login.host.(interface{ Raw() remote.Host }); ok {
		return raw.Raw()
	}
	return i.login.host
}

// Login is the kind of login: aix, vios (as root), padmin (restricted shell), linux or
// hmc; empty for a host that is none of these.
func (i Identity) Login() string {
	if i.login.restricted() {
		return "padmin"
	}
	switch p := i.login.platform; p {
	case model.AIX, model.VIOS, model.Linux, PlatformHMC:
		return string(p)
	}
	return ""
}

// Line is a command line as it is sent; for padmin through oem_setup_env where
// it needs root.
func (i Identity) Line(command string, root bool) string {
	c, _ := i.login.sent(Item{Line: command, Root: root})
	return c.Line
}

// Together runs command lines as root in one session, each with a limit, and
// gives the answers that came to their end, by place.
func (i Identity) Together(ctx context.Context, lines []string, limit time.Duration) map[int]*remote.Result {
	items := make([]Item, len(lines))
	for k, l := range lines {
		items[k] = Item{Line: l, Limit: limit}
	}
	b := newBatch(items)
	// What went wrong shows in the answers that are missing.
	c, _ := i.login.sent(Item{Line: b.line(), Root: true})
	c.Limit = b.limit()
	res, _ := i.login.host.Run(ctx, c)
	if res == nil {
		return nil
	}
	return b.answers(res)
}
