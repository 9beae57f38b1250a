package supervisor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"
)

// A Request on control.sock is one JSON object; the Answer is another, which a file may come with.
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
			if err := json.NewDecoder(io.LimitReader(s, maxRequest)).Decode(&r); err != nil {
				send(s, nil, fmt.Errorf("request: %w", err))
				return
			}
			result, err := c.answer(ctx, r)
			send(s, result, err)
			if r.Op == "shutdown" {
				c.stop()
			}
		}()
	}
}

// send answers with what a query did, as JSON. A file that it opened goes with the answer's
// bytes, and is closed here.
func send(s net.Conn, result any, failed error) {
	if f, ok := result.(*os.File); ok && failed == nil {
		defer f.Close()
		_, _, _ = s.(*net.UnixConn).WriteMsgUnix([]byte("{}"), unix.UnixRights(int(f.Fd())), nil)
		return
	}
	var a Answer
	if failed == nil {
		a.Result, failed = json.Marshal(result)
	}
	if failed != nil {
		a = Answer{Error: failed.Error()}
	}
	_ = json.NewEncoder(s).Encode(a)
}

// answer does what a request asks for.
func (c *control) answer(ctx context.Context, r Request) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fmt.Errorf("%s: fault in the lab: %v\n%s", r.Op, p, debug.Stack())
		}
	}()
	switch q := c.queries[r.Op]; {
	case r.Op == "info":
		return c.info, nil
	case r.Op == "shutdown":
		return true, nil
	case q != nil:
		return q(ctx, r.Args)
	}
	return nil, fmt.Errorf("%s: unknown request", r.Op)
}
