package probe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync"

	"seaworthy/internal/measure/probe/load"
	"seaworthy/internal/measure/probe/whole"
)

// Reasons a helper cannot be used, for errors.Is.
var (
	ErrNoHello  = errors.New("no greeting of seaworthy-probe")
	ErrProtocol = errors.New("another protocol version")
	ErrEnded    = errors.New("the helper ended")
)

// RequestError is the helper's own answer that a request failed on its host.
type RequestError struct {
	Op     Op
	Reason string
}

func (e *RequestError) Error() string { return fmt.Sprintf("probe %s: %s", e.Op, e.Reason) }

// Client talks to one helper. It is safe for concurrent use; requests are
// answered one after the other.
type Client struct {
	Hello Hello

	mu    sync.Mutex
	in    io.Writer
	lines chan []byte // from the helper
	next  int
	why   error // why lines is closed; read after that
}

// NoHelloError says what came instead of the greeting.
type NoHelloError struct {
	Text string // at most 20 lines
	Err  error  // why nothing more came
}

func (e *NoHelloError) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("%v: %v", ErrNoHello, e.Err)
	}
	return fmt.Sprintf("%v, but %.300q", ErrNoHello, e.Text)
}

func (e *NoHelloError) Unwrap() []error { return []error{ErrNoHello, e.Err} }

// strayLines is how much a login shell may say before the helper greets.
const strayLines = 20

// NewClient waits for the helper's greeting on out and checks it.
func NewClient(ctx context.Context, in io.Writer, out io.Reader) (*Client, error) {
	c := &Client{in: in, lines: make(chan []byte, 2*strayLines)}
	go c.read(out)
	var stray []string
	for {
		line, err := c.line(ctx)
		if err == nil && (json.Unmarshal(line, &c.Hello) != nil || c.Hello.Program != "seaworthy-probe") {
			stray = append(stray, string(line))
			if len(stray) < strayLines {
				continue
			}
			err = errors.New("too much other text")
		}
		if err != nil {
			return nil, &NoHelloError{Text: strings.Join(stray, "\n"), Err: err}
		}
		break
	}
	if c.Hello.Protocol != Protocol {
		return nil, fmt.Errorf("%w: the helper %s speaks %d, this side %d", ErrProtocol, c.Hello.Version, c.Hello.Protocol, Protocol)
	}
	return c, nil
}

func (c *Client) read(out io.Reader) {
	sc := bufio.NewScanner(out)
	sc.Buffer(make([]byte, 64<<10), MaxLine)
	for sc.Scan() {
		// The helper speaks only when asked: more than fits here is not one of ours.
		select {
		case c.lines <- append([]byte(nil), sc.Bytes()...):
		default:
			c.why = errors.New("it talks without being asked")
			close(c.lines)
			return
		}
	}
	c.why = sc.Err()
	close(c.lines)
}

func (c *Client) line(ctx context.Context) ([]byte, error) {
	select {
	case l, ok := <-c.lines:
		if ok {
			return l, nil
		}
		if c.why != nil {
			return nil, fmt.Errorf("%w: %w", ErrEnded, c.why)
		}
		return nil, ErrEnded
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *Client) ask(ctx context.Context, q Request) (Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	q.ID = c.next
	fail := func(format string, args ...any) (Reply, error) {
		return Reply{}, fmt.Errorf("probe %s: "+format, append([]any{q.Op}, args...)...)
	}
	text, err := json.Marshal(q)
	if err != nil {
		return fail("%w", err)
	}
	if _, err := c.in.Write(append(text, '\n')); err != nil {
		return fail("%w: %w", ErrEnded, err)
	}
	for {
		line, err := c.line(ctx)
		if err != nil {
			return fail("%w", err)
		}
		var r Reply
		if err := json.Unmarshal(line, &r); err != nil {
			return fail("answer %.200q: %w", line, err)
		}
		if r.Error != "" && r.ID == q.ID {
			return Reply{}, &RequestError{Op: q.Op, Reason: r.Error}
		}
		if r.ID == q.ID { // else the answer to a request that was given up
			return r, nil
		}
	}
}

// Listen opens the measured port of a load and gives the port. A helper may make
// several loads, by number.
func (c *Client) Listen(ctx context.Context, number int, spec load.Spec, address string, port int) (int, error) {
	r, err := c.ask(ctx, Request{Op: OpListen, Number: number, Load: &spec, Address: address, Port: port})
	if err != nil {
		return 0, err
	}
	if r.Port < 1 || r.Port > 65535 {
		return 0, &RequestError{Op: OpListen, Reason: fmt.Sprintf("port %d in the answer", r.Port)}
	}
	return r.Port, nil
}

// Connect connects to a listening helper and starts the load.
func (c *Client) Connect(ctx context.Context, number int, spec load.Spec, address string, port int) error {
	_, err := c.ask(ctx, Request{Op: OpConnect, Number: number, Load: &spec, Address: address, Port: port})
	return err
}

// Begin starts the measured interval, expected to last some seconds, with or without the host's CPU.
func (c *Client) Begin(ctx context.Context, seconds float64, cpu bool) error {
	_, err := c.ask(ctx, Request{Op: OpBegin, Seconds: seconds, NoCPU: !cpu})
	return err
}

// SoFar gives the host's report of the interval until now; it goes on.
func (c *Client) SoFar(ctx context.Context) (*Report, error) { return c.report(ctx, OpSoFar) }

// End ends the interval and gives the host's report.
func (c *Client) End(ctx context.Context) (*Report, error) { return c.report(ctx, OpEnd) }

func (c *Client) report(ctx context.Context, op Op) (*Report, error) {
	r, err := c.ask(ctx, Request{Op: op})
	if err != nil {
		return nil, err
	}
	if r.Report == nil {
		return nil, &RequestError{Op: op, Reason: "the answer has no report"}
	}
	return r.Report, nil
}

// Packet sends a packet of size bytes that must not be fragmented.
func (c *Client) Packet(ctx context.Context, to netip.Addr, size int) (whole.Outcome, error) {
	r, err := c.ask(ctx, Request{Op: OpPacket, Address: to.String(), Size: size})
	return r.Packet, err
}

// Stop ends a load; nil without an error if the host made none of that number.
func (c *Client) Stop(ctx context.Context, number int) (*load.Summary, error) {
	r, err := c.ask(ctx, Request{Op: OpStop, Number: number})
	return r.Final, err
}
