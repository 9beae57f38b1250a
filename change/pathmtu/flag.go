package pathmtu

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"seaworthy/remote"
)

// newFlag is what ping of AIX 7.3 has and earlier ones have not. Its page does
// not say clearly what it forbids, so that it has to show it.
const newFlag = "-F"

var hasNewFlag = regexp.MustCompile(`\[-[A-Za-z]*F`)

// flag is the one with which a host's ping forbids fragments; empty if it has
// none. One that is not documented to do that is taken only after it kept a
// packet that is one byte too large for the sender's interface from being sent.
func (p Prober) flag(ctx context.Context, w *Way) (string, error) {
	host, inv := p.Hosts[w.From.Host], p.Fleet.Host(w.From.Host)
	if host == nil || inv == nil {
		return "", nil // send says so
	}
	login := p.login(inv)
	if f := login.DontFragment(); f != "" || login.PlainPing {
		return f, nil
	}
	res, err := host.Run(ctx, remote.Command{Line: login.PingUsage(), Limit: 20 * time.Second, MaxOutput: 1 << 16})
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", w.From.Host, login.PingUsage(), err)
	}
	if !hasNewFlag.Match(append(res.Stdout, res.Stderr...)) {
		return "", nil
	}
	one, err := p.send(ctx, w.From.Host, w.Address, w.Wanted+1, newFlag, sure)
	if err != nil || one.Outcome != Refused {
		return "", err
	}
	return newFlag, nil
}
