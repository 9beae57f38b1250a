package collect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
)

// viosvrcmd in manifests: the HMC ran a command on the VIOS.
const viosvrcmd = "viosvrcmd"

// ThroughHMC is a VIOS that needs no login of its own: each command of ioscli is run by
// viosvrcmd of its HMC, over RMC (https://www.ibm.com/docs/POWER9/p9edm/viosvrcmd.html).
// Others are refused. Closing it leaves the HMC open.
func ThroughHMC(hmc remote.Host, vios Partition) remote.Host { return &throughHMC{hmc, vios} }

type throughHMC struct {
	remote.Host // the HMC
	vios        Partition
}

func (h *throughHMC) Name() string { return h.vios.Name }
func (h *throughHMC) Close() error { return nil }

// Disconnect leaves the HMC open: others are read through it.
func (h *throughHMC) Disconnect() {}

// User is the HMC's: who viosvrcmd is on the VIOS is not for us to say.
func (h *throughHMC) User() string { return remote.User(h.Host) }

func (h *throughHMC) Run(ctx context.Context, c remote.Command) (*remote.Result, error) {
	sent, plain, err := h.line(c.Line)
	if err != nil {
		return nil, err
	}
	c.Line = sent
	res, err := h.Host.Run(ctx, c)
	return res, h.named(err, plain)
}

func (h *throughHMC) Start(ctx context.Context, line string) (*remote.Session, error) {
	sent, plain, err := h.line(line)
	if err != nil {
		return nil, err
	}
	s, err := h.Host.Start(ctx, sent)
	return s, h.named(err, plain)
}

func (h *throughHMC) named(err error, line string) error {
	if err == nil {
		return nil
	}
	return remote.On(h.Name(), remote.Named(err, line))
}

// line is a command as the HMC's shell gets it, and as the VIOS does.
func (h *throughHMC) line(line string) (sent, plain string, err error) {
	plain = strings.TrimSpace(strings.TrimPrefix(line, locale+";"))
	command, ok := strings.CutPrefix(plain, "ioscli ")
	switch {
	case !systemName.MatchString(h.vios.System):
		err = fmt.Errorf("managed system %q: not the form of a name", h.vios.System)
	case !systemName.MatchString(h.vios.Name):
		err = fmt.Errorf("partition %q: not the form of a name", h.vios.Name)
	case !ok:
		err = errors.New("viosvrcmd runs commands of ioscli alone")
	case strings.ContainsAny(command, ";|>") || strings.ContainsFunc(command, func(c rune) bool { return c < ' ' }):
		err = errors.New("viosvrcmd takes no ;, | and > in a command")
	default:
		return fmt.Sprintf("viosvrcmd -m %s -p %s -c %s",
			shellword.Quote(h.vios.System), shellword.Quote(h.vios.Name), shellword.Quote(command)), plain, nil
	}
	return "", plain, &remote.Error{Host: h.Name(), Command: plain, Err: err}
}
