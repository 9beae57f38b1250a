package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/measure/probe"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/remote"
)

// hostMeter measures the CPU of one host over an interval.
type hostMeter interface {
	begin(ctx context.Context, seconds float64) error
	end(ctx context.Context) (*probe.Report, error)
	close()
	info() HostInfo
}

// agentMeter is the helper on a host; it meters and, on the ends, makes load.
type agentMeter struct{ agent *deploy.Agent }

func (m *agentMeter) begin(ctx context.Context, seconds float64) error {
	return m.agent.Fail(m.agent.Client.Begin(ctx, seconds, true))
}

func (m *agentMeter) end(ctx context.Context) (*probe.Report, error) {
	r, err := m.agent.Client.End(ctx)
	return r, m.agent.Fail(err)
}

func (m *agentMeter) close() { m.agent.Close() }

func (m *agentMeter) info() HostInfo {
	h := m.agent.Client.Hello
	i := HostInfo{OS: h.OS, Arch: h.Arch, Scope: h.Scope, Meter: "probe"}
	if m.agent.Uploaded {
		i.Meter = "copied probe"
	}
	return i
}

// commandMeter reads a host's CPU with the host's own commands, where no
// helper can run: a VIOS under padmin, or a system none is built for.
type commandMeter struct {
	host   remote.Host
	system deploy.System
	scope  string
	before *meter.ProcStat
	ended  chan struct{} // AIX: lparstat has ended
	cancel context.CancelFunc
	usage  *meter.Usage
	err    error
}

const linuxStat = "cat /proc/sys/kernel/random/boot_id /proc/stat"

func (m *commandMeter) begin(ctx context.Context, seconds float64) error {
	if m.system.OS == "Linux" {
		stat, err := m.procStat(ctx)
		m.before = stat
		return err
	}
	n := max(1, int(math.Floor(seconds)))
	line := m.system.Line(fmt.Sprintf("lparstat %d 1", n))
	m.ended = make(chan struct{})
	ctx, m.cancel = context.WithCancel(context.WithoutCancel(ctx)) // lives until end, beyond this step
	go func() {
		defer close(m.ended)
		m.usage, m.err = nil, nil
		r, err := m.host.Run(ctx, remote.Command{Line: line, Limit: time.Duration(n)*time.Second + remote.DefaultLimit})
		if err == nil {
			// What status oem_setup_env hands on is not documented: the figures decide.
			if m.usage, err = meter.ParseLparstat(string(r.Stdout)); err != nil && r.Exit != 0 {
				err = fmt.Errorf("exit status %d: %.200s", r.Exit, r.Stderr)
			}
		}
		if err != nil {
			m.err = fmt.Errorf("%s: %s: %w", m.host.Name(), line, err)
			return
		}
		m.usage.Seconds, m.usage.Scope = float64(n), m.scope
	}()
	return nil
}

func (m *commandMeter) end(ctx context.Context) (*probe.Report, error) {
	if m.system.OS == "Linux" {
		after, err := m.procStat(ctx)
		if err != nil {
			return nil, err
		}
		u, err := after.Since(m.before)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.host.Name(), err)
		}
		u.Scope = m.scope
		return &probe.Report{Seconds: u.Seconds, CPU: u}, nil
	}
	if m.ended == nil {
		return nil, errors.New("end without begin")
	}
	select {
	case <-m.ended:
	case <-ctx.Done():
		m.close()
		return nil, ctx.Err()
	}
	if m.err != nil {
		return &probe.Report{CPUError: m.err.Error()}, nil
	}
	return &probe.Report{Seconds: m.usage.Seconds, CPU: m.usage}, nil
}

func (m *commandMeter) procStat(ctx context.Context) (*meter.ProcStat, error) {
	start := time.Now()
	r, err := m.host.Run(ctx, remote.Command{Line: linuxStat})
	if err != nil {
		return nil, err
	}
	// The host read it somewhere between request and answer.
	at := start.Add(time.Since(start) / 2)
	boot, rest, _ := strings.Cut(string(r.Stdout), "\n")
	stat, err := meter.ParseProcStat(rest, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.host.Name(), err)
	}
	m.scope = "boot:" + boot
	return stat, nil
}

// close ends an lparstat that is under way.
func (m *commandMeter) close() {
	if m.cancel != nil {
		m.cancel()
		<-m.ended
	}
}

func (m *commandMeter) info() HostInfo {
	info := HostInfo{Scope: m.scope, Meter: "/proc/stat"}
	switch m.system.OS {
	case "AIX":
		info.OS = "aix"
		info.Meter = "lparstat"
	case "Linux":
		info.OS = "linux"
	}
	return info
}

// noMeter is for a host whose CPU stays unknown, and says why.
type noMeter struct{ reason string }

func (m *noMeter) begin(context.Context, float64) error { return nil }
func (m *noMeter) end(context.Context) (*probe.Report, error) {
	return &probe.Report{CPUError: m.reason}, nil
}
func (m *noMeter) close()         {}
func (m *noMeter) info() HostInfo { return HostInfo{Meter: "none: " + m.reason} }
