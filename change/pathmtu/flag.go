package pathmtu

import (
	"context"
	"regexp"

	"seaworthy/change/task"
)

// newFlag is what ping of AIX 7.3 has and earlier ones have not. Its page does
// not say clearly what it forbids, so that it has to show it.
const newFlag = "-F"

var hasNewFlag = regexp.MustCompile(`\[-[A-Za-z]*F`)

// flag is the one with which a host's ping forbids fragments; empty if it has
// none. One that is not documented to do that is taken only after it kept a
// packet that is one byte too large for the sender's interface from being sent.
func (p Prober) flag(ctx context.Context, w *Way) (string, error) {
	if inv := p.Fleet.Host(w.From.Host); inv != nil {
		if login := p.login(inv); login.DontFragment() != "" || login.PlainPing {
			return login.DontFragment(), nil
		}
	}
	res, err := p.say(ctx, w.From.Host, task.Login.PingUsage, 1<<16)
	if err != nil || res == nil { // send says that it is not connected
		return "", err
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
