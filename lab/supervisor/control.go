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
			var a Answer
			var file *os.File
			if err := json.NewDecoder(io.LimitReader(s, maxRequest)).Decode(&r); err != nil {
				a.Error = fmt.Sprintf("request: %v", err)
			} else {
				a, file = c.answer(ctx, r)
			}
			send(s, a, file)
			if r.Op == "shutdown" {
				c.stop()
			}
		}()
	}
}

// send answers; a file goes with the answer's bytes, and is closed here.
func send(s net.Conn, a Answer, file *os.File) {
	b, err := json.Marshal(a)
	if err != nil {
		return
	}
	u, ok := s.(*net.UnixConn)
	if file == nil || !ok {
		_, _ = s.Write(b)
		return
	}
	defer file.Close()
	_, _, _ = u.WriteMsgUnix(b, unix.UnixRights(int(file.Fd())), nil)
}

// answer gives what a query did: as JSON, or a file that it opened.
func (c *control) answer(ctx context.Context, r Request) (a Answer, file *os.File) {
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
			return Answer{Error: fmt.Sprintf("%s: unknown request", r.Op)}, nil
		}
		var err error
		if result, err = q(ctx, r.Args); err != nil {
			return Answer{Error: err.Error()}, nil
		}
		if f, ok := result.(*os.File); ok {
			return Answer{}, f
		}
	}
	b, err := json.Marshal(result)
	if err != nil {
		return Answer{Error: fmt.Sprintf("%s: %v", r.Op, err)}, nil
	}
	return Answer{Result: b}, nil
}
