// Package rpc carries a served command from a node to the lab's supervisor:
// the program that the node's shell starts sends its arguments over the node's
// control socket and passes on what comes back.
//
// A message is a kind, a length (4 bytes, big-endian) and that many bytes.
// The caller sends one Request, then stdin, but only once the other side asks
// for it: a command that reads nothing leaves the shell's input alone.
package rpc

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"
)

// Do runs a command in the supervisor behind the socket and returns its exit
// status. An error means that the supervisor was not reached or went away.
func Do(socket string, r Request, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	s, err := net.Dial("unix", socket)
	if err != nil {
		return 0, fmt.Errorf("%s: the lab does not answer: %w", r.Argv[0], err)
	}
	defer s.Close()
	c := &conn{rw: s}
	body, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	if err := c.send(request, body); err != nil {
		return 0, fmt.Errorf("%s: %w", r.Argv[0], err)
	}
	asked := false
	for {
		k, body, err := c.receive()
		if err != nil {
			return 0, fmt.Errorf("%s: lost connection to the lab: %w", r.Argv[0], err)
		}
		switch k {
		case output:
			_, err = stdout.Write(body)
		case errors:
			_, err = stderr.Write(body)
		case needInput:
			if !asked {
				asked = true
				go func() {
					// A failed read is the end of the input, as for any command.
					_, _ = io.Copy(writer{c, input}, stdin)
					_ = c.send(inputEnd, nil)
				}()
			}
		case exit:
			if len(body) != 4 {
				return 0, fmt.Errorf("%s: invalid exit status from the lab", r.Argv[0])
			}
			return int(int32(binary.BigEndian.Uint32(body))), nil
		}
		if err != nil { // who read our output is gone
			return 141, nil
		}
	}
}

// Request starts a call.
type Request struct {
	User string   `json:"user"`
	Argv []string `json:"argv"` // Argv[0] is the bare command name
	VIOS bool     `json:"vios"` // ioscli form
}

type kind byte

const (
	request   kind = 'c' // JSON of Request
	input     kind = 'i' // bytes of stdin
	inputEnd  kind = 'I'
	needInput kind = 'n' // the command reads: send stdin
	output    kind = 'o'
	errors    kind = 'e'
	exit      kind = 'x' // 4 bytes, big-endian
)

// maxMessage bounds what either side believes about a length.
const maxMessage = 1 << 20

// conn sends and receives messages; sending is safe for concurrent use.
type conn struct {
	rw io.ReadWriter
	mu sync.Mutex
}

func (c *conn) send(k kind, body []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := make([]byte, 5, 5+len(body))
	m[0] = byte(k)
	binary.BigEndian.PutUint32(m[1:], uint32(len(body)))
	_, err := c.rw.Write(append(m, body...))
	return err
}

func (c *conn) receive() (kind, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(c.rw, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > maxMessage {
		return 0, nil, fmt.Errorf("message of %d bytes: the limit is %d", n, maxMessage)
	}
	body := make([]byte, n)
	_, err := io.ReadFull(c.rw, body)
	return kind(head[0]), body, err
}

// writer sends what is written to it as messages of one kind.
type writer struct {
	c *conn
	k kind
}

func (w writer) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		n := min(len(p)-done, 64<<10)
		if err := w.c.send(w.k, p[done:done+n]); err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}
