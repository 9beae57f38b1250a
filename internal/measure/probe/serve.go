package probe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime"
	"time"

	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/meter"
	"seaworthy/internal/measure/probe/whole"
)

// Waits of the helper, each shorter than a controller's patience.
const (
	connectWait = 10 * time.Second
	readyWait   = 10 * time.Second
)

// mostLoads is how many a helper makes at once.
const mostLoads = 256

// Serve is the helper: it greets on out, answers the requests that come on in,
// and returns when in ends, with nothing left running. A line that is not a
// request is answered with an error and otherwise ignored.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{loads: map[int]*load.Load{}}
	defer s.close()
	hello := Hello{
		Program: "seaworthy-probe", Protocol: Protocol, Version: version, OS: runtime.GOOS, Arch: runtime.GOARCH,
		PID: os.Getpid(), CPUs: runtime.NumCPU(), Scope: meter.Scope(),
	}
	enc := json.NewEncoder(out)
	if err := enc.Encode(hello); err != nil {
		return fmt.Errorf("control channel: %w", err)
	}
	lines := make(chan []byte)
	ended := make(chan error, 1)
	go func() {
		defer cancel() // a connect or a wait under way must not outlive the controller
		sc := bufio.NewScanner(in)
		sc.Buffer(make([]byte, 64<<10), MaxLine)
		for sc.Scan() {
			select {
			case lines <- bytes.Clone(sc.Bytes()):
			case <-ctx.Done():
				ended <- nil
				return
			}
		}
		ended <- sc.Err()
	}()
	for {
		select {
		case line := <-lines:
			if err := enc.Encode(s.answer(ctx, line)); err != nil {
				return fmt.Errorf("control channel: %w", err)
			}
		case <-ctx.Done():
			select {
			case err := <-ended:
				if err != nil {
					return fmt.Errorf("control channel: %w", err)
				}
			default: // the caller's context; the reader is left to the process's end
			}
			return nil
		}
	}
}

// server is the state of one helper: its loads, and at most one interval.
type server struct {
	loads map[int]*load.Load
	began time.Time // zero: no interval is open
	meter meter.Meter
	why   string // why meter is nil
	self  meter.Self
}

func (s *server) close() {
	for n, l := range s.loads {
		l.Stop()
		delete(s.loads, n)
	}
	s.endMeter()
}

func (s *server) endMeter() {
	if s.meter != nil {
		_, _ = s.meter.End() // closes what the meter runs; its figures are not asked for
		s.meter = nil
	}
}

func (s *server) answer(ctx context.Context, line []byte) Reply {
	var q Request
	if err := json.Unmarshal(line, &q); err != nil {
		return Reply{Error: "not a request: " + err.Error()}
	}
	r := Reply{ID: q.ID}
	var err error
	switch q.Op {
	case OpListen:
		err = s.listen(&q, &r)
	case OpConnect:
		err = s.connect(ctx, &q)
	case OpBegin:
		err = s.begin(ctx, &q)
	case OpSoFar:
		err = s.soFar(&r)
	case OpEnd:
		err = s.end(&r)
	case OpStop:
		s.stop(&q, &r)
	case OpPacket:
		var to netip.Addr
		if to, err = netip.ParseAddr(q.Address); err == nil {
			r.Packet, err = whole.Send(ctx, to, q.Size)
		}
	default:
		err = fmt.Errorf("unknown op %q", q.Op)
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

func (s *server) free(q *Request) error {
	if s.loads[q.Number] != nil {
		return errors.New("a load is already there: stop it first")
	}
	if q.Number < 0 || q.Number >= mostLoads {
		return fmt.Errorf("load %d: expected 0 to %d", q.Number, mostLoads-1)
	}
	if q.Load == nil {
		return fmt.Errorf("%s without a load", q.Op)
	}
	if q.Port < 0 || q.Port > 65535 {
		return fmt.Errorf("port is %d, must be 0 to 65535", q.Port)
	}
	return nil
}

func (s *server) listen(q *Request, r *Reply) error {
	if err := s.free(q); err != nil {
		return err
	}
	var ip netip.Addr
	if q.Address != "" {
		var err error
		if ip, err = netip.ParseAddr(q.Address); err != nil {
			return fmt.Errorf("listen: %w", err)
		}
	}
	l, port, err := load.Listen(*q.Load, netip.AddrPortFrom(ip, uint16(q.Port)))
	if err != nil {
		return err
	}
	s.loads[q.Number], r.Port = l, port
	return nil
}

func (s *server) connect(ctx context.Context, q *Request) error {
	if err := s.free(q); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	ip, err := netip.ParseAddr(q.Address)
	if err != nil {
		all, err := net.DefaultResolver.LookupNetIP(ctx, "ip", q.Address)
		if err != nil {
			return fmt.Errorf("connect: %w", err)
		}
		ip = all[0]
	}
	l, err := load.Connect(ctx, *q.Load, netip.AddrPortFrom(ip, uint16(q.Port)))
	if err != nil {
		return err
	}
	s.loads[q.Number] = l
	return nil
}

func (s *server) begin(ctx context.Context, q *Request) error {
	if !s.began.IsZero() {
		return errors.New("begin twice")
	}
	if !(q.Seconds > 0 && q.Seconds <= load.MaxSeconds) {
		return fmt.Errorf("begin: seconds is %v, must be above 0 and at most %d", q.Seconds, load.MaxSeconds)
	}
	ready, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	for _, l := range s.loads {
		if err := l.Ready(ready); err != nil {
			return err
		}
	}
	s.meter, s.why = nil, "not asked for"
	if !q.NoCPU {
		m, err := meter.Start(time.Duration(q.Seconds * float64(time.Second)))
		s.meter, s.why = m, ""
		if err != nil {
			s.meter, s.why = nil, err.Error()
		}
	}
	s.self = meter.ReadSelf()
	for _, l := range s.loads {
		if err := l.Begin(time.Duration(q.Seconds * float64(time.Second))); err != nil {
			s.endMeter()
			return err
		}
	}
	s.began = time.Now()
	return nil
}

// soFar looks at the interval. CPU is in it where the meter can be read while it runs.
func (s *server) soFar(r *Reply) error {
	if s.began.IsZero() {
		return errors.New("so far without begin")
	}
	report, err := s.report((*load.Load).SoFar)
	if err != nil {
		return err
	}
	if m, ok := s.meter.(meter.Running); ok {
		if report.CPU, err = m.SoFar(); err != nil {
			report.CPUError = err.Error()
		}
	}
	r.Report = report
	return nil
}

func (s *server) end(r *Reply) error {
	if s.began.IsZero() {
		return errors.New("end without begin")
	}
	report, failed := s.report((*load.Load).End)
	s.began = time.Time{}
	report.Self = meter.ReadSelf().Since(s.self)
	report.CPUError = s.why
	if s.meter != nil {
		u, err := s.meter.End()
		s.meter = nil
		if err != nil {
			report.CPUError = err.Error()
		} else {
			report.CPU = u
		}
	}
	if failed != nil {
		return failed
	}
	r.Report = report
	return nil
}

// report has the interval of every load.
func (s *server) report(of func(*load.Load) (*load.Interval, error)) (r *Report, err error) {
	r = &Report{Seconds: time.Since(s.began).Seconds(), Loads: map[int]*load.Interval{}}
	for n, l := range s.loads {
		i, lerr := of(l)
		r.Loads[n], err = i, errors.Join(err, lerr)
	}
	return r, err
}

func (s *server) stop(q *Request, r *Reply) {
	s.began = time.Time{}
	s.endMeter()
	l := s.loads[q.Number]
	if l == nil {
		return // a host that was only metered
	}
	r.Final = l.Stop()
	delete(s.loads, q.Number)
	runtime.GC() // here, where it disturbs no load
}
