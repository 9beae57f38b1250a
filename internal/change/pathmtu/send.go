package pathmtu

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"time"

	"seaworthy/internal/change/task"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/remote"
)

// send asks tries times if nothing comes back: a packet can be lost by chance. The
// flag forbids fragments; empty: they are allowed.
func (p Prober) send(ctx context.Context, from string, to netip.Addr, size int, flag string, tries int) (Probe, error) {
	var one Probe
	for count := 1; count <= tries; count++ {
		res, err := p.runCommand(ctx, from, func(l task.Login) remote.Step { return l.Ping(to, size, count, flag) }, 1<<16)
		if err == nil && res == nil {
			err = errors.New(from + " is not connected")
		}
		if err != nil {
			return Probe{}, err
		}
		one = parse(string(res.Stdout) + "\n" + string(res.Stderr))
		if one.Outcome != Lost {
			break
		}
		if p.Lost != nil {
			p.Lost()
		}
	}
	one.Size, one.DF = size, flag != ""
	return one, nil
}

// runCommand runs a command that the host's login has; nil: the host is not connected.
func (p Prober) runCommand(ctx context.Context, name string, command func(task.Login) remote.Step, most int64) (*remote.Result, error) {
	host, inv := p.Hosts[name], p.Fleet.Host(name)
	if host == nil || inv == nil {
		return nil, nil
	}
	step := command(p.login(inv))
	c := step.Command()
	c.Limit, c.MaxOutput = 20*time.Second, most
	res, err := host.Run(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", name, step, err)
	}
	return res, nil
}

// login is how a host is asked.
func (p Prober) login(h *model.Host) task.Login {
	l := task.LoginOf(h)
	l.PlainPing = p.PlainPing[h.Name]
	return l
}

// newFlag holds what ping of AIX 7.3 has and earlier ones have not. Its page does
// not say clearly what it forbids, so that it has to show it.
const newFlag = "-F"

var hasNewFlag = regexp.MustCompile(`\[-[A-Za-z]*F`)

// flag is the one with which a host's ping forbids fragments; empty if it has
// none. One that is not documented to do that is taken only after it kept a
// packet that is one byte too large for the sender's interface from being sent.
func (p Prober) flag(ctx context.Context, w *Direction) (string, error) {
	if inv := p.Fleet.Host(w.From.Host); inv != nil {
		if login := p.login(inv); login.DontFragment() != "" || login.PlainPing {
			return login.DontFragment(), nil
		}
	}
	res, err := p.runCommand(ctx, w.From.Host, task.Login.PingUsage, 1<<16)
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
