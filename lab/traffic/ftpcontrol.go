package traffic

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"

	"seaworthy/lab/node"
)

// ftpClient is one run of ftp.
type ftpClient struct {
	call    *node.Call
	in      *bufio.Reader
	tty     bool
	login   bool
	conn    net.Conn
	replies *textproto.Reader
	host    string
}

// command sends a line and prints the answer; a code that is wanted must come.
func (f *ftpClient) command(want int, line string) error {
	if strings.ContainsAny(line, "\r\n") {
		return errors.New("a name cannot hold a line break")
	}
	if _, err := fmt.Fprintf(f.conn, "%s\r\n", line); err != nil {
		f.close()
		return fmt.Errorf("%s: connection lost: %w", f.host, err)
	}
	return f.reply(want)
}

// reply prints an answer, of several lines if it says so.
func (f *ftpClient) reply(want int) error {
	code, text, err := f.replies.ReadResponse(want)
	if _, refused := err.(*textproto.Error); err != nil && !refused {
		f.close()
		return fmt.Errorf("%s: connection lost: %w", f.host, err)
	}
	fmt.Fprintln(f.call.Stdout, code, text)
	if err != nil || code >= 400 {
		return fmt.Errorf("%s refused", f.host)
	}
	return nil
}

func (f *ftpClient) quit() error {
	if f.conn == nil {
		return nil
	}
	defer f.close()
	return f.command(221, "QUIT")
}

func (f *ftpClient) close() {
	if f.conn != nil {
		f.conn.Close()
		f.conn = nil
	}
}
