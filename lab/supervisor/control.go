package supervisor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"time"
)

// A Request on control.sock is one JSON object; the Answer is another.
type Request struct {
	Op   string          `json:"op"`             // info, shutdown, or the name of a query
	Args json.RawMessage `json:"args,omitempty"` // of a query
}

type Answer struct {
	Error  string          `json:"error,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
}

const maxRequest = 1 << 20

// control answers requests until the listener is closed.
type control struct {
	info    Info
	queries map[string]func(ctx context.Context, args json.RawMessage) (any, error)
	stop    func()
}

func (c *control) serve(ctx context.Context, l net.Listener) {
	for {
		s, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer s.Close()
			_ = s.SetReadDeadline(time.Now().Add(10 * time.Second))
			var r Request
			var a Answer
			if err := json.NewDecoder(io.LimitReader(s, maxRequest)).Decode(&r); err != nil {
				a.Error = fmt.Sprintf("request: %v", err)
			} else {
				a = c.answer(ctx, r)
			}
			_ = json.NewEncoder(s).Encode(a)
			if r.Op == "shutdown" {
				c.stop()
			}
		}()
	}
}

func (c *control) answer(ctx context.Context, r Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = Answer{Error: fmt.Sprintf("%s: fault in the lab: %v\n%s", r.Op, p, debug.Stack())}
		}
	}()
	var result any
	switch r.Op {
	case "info":
		result = c.info
	case "shutdown":
		result = true
	default:
		q := c.queries[r.Op]
		if q == nil {
			return Answer{Error: fmt.Sprintf("%s: unknown request", r.Op)}
		}
		var err error
		if result, err = q(ctx, r.Args); err != nil {
			return Answer{Error: err.Error()}
		}
	}
	b, err := json.Marshal(result)
	if err != nil {
		return Answer{Error: fmt.Sprintf("%s: %v", r.Op, err)}
	}
	return Answer{Result: b}
}
