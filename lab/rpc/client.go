package rpc

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
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
