package traffic

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"strings"
	"time"

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

// ftpBuffer is one read and write of a transfer.
const ftpBuffer = 64 << 10

// data opens a port for one transfer, tells the server, and gives the
// connection that the server makes.
func (f *ftpClient) data(ctx context.Context, order string) (net.Conn, error) {
	own := f.conn.LocalAddr().(*net.TCPAddr).IP.To4()
	if own == nil {
		return nil, fmt.Errorf("ftp: %s: only IPv4 has PORT", f.conn.LocalAddr())
	}
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: own})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	port := l.Addr().(*net.TCPAddr).Port
	if err := f.command(200, fmt.Sprintf("PORT %d,%d,%d,%d,%d,%d", own[0], own[1], own[2], own[3], port>>8, port&0xff)); err != nil {
		return nil, err
	}
	if err := f.command(150, order); err != nil {
		return nil, err
	}
	_ = l.SetDeadline(time.Now().Add(30 * time.Second))
	conn, err := l.Accept()
	if err != nil {
		return nil, fmt.Errorf("%s: data connection: %w", f.host, err)
	}
	return conn, nil
}

// copyPlainly moves what one side has to the other by reads and writes of a buffer, as ftp
// does it: no splicing.
func copyPlainly(to io.Writer, from io.Reader) (int64, error) {
	return io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, ftpBuffer))
}

// transfer sends a local file, or fetches one.
func (f *ftpClient) transfer(ctx context.Context, put bool, local, remote string) error {
	file, finish, err := f.file(ctx, local, put)
	if err != nil {
		return err
	}
	order, done := "RETR ", "received"
	if put {
		order, done = "STOR ", "sent"
	}
	conn, err := f.data(ctx, order+remote)
	if err != nil {
		file.Close()
		_ = finish()
		return err
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	began := time.Now()
	to, from := io.Writer(file), io.Reader(conn)
	if put {
		to, from = conn, file
	}
	n, err := copyPlainly(to, from)
	conn.Close()
	err = cmp.Or(err, file.Close()) // the command behind a pipe must not hang on us
	ended := finish()
	took := max(time.Since(began).Seconds(), 1e-9)
	err = cmp.Or(f.reply(226), err)
	fmt.Fprintf(f.call.Stdout, "%d bytes %s in %.4g seconds (%.4g Kbytes/s)\n", n, done, took, float64(n)/1024/took)
	fmt.Fprintf(f.call.Stdout, "local: %s remote: %s\n", local, remote)
	if err == nil && ended != nil {
		err = fmt.Errorf("%s: %w", local, ended)
	}
	return err
}

// file opens a local file to read or to write, or "| command" at its output or input.
func (f *ftpClient) file(ctx context.Context, name string, read bool) (file *os.File, finish func() error, err error) {
	line, ok := strings.CutPrefix(name, "|")
	if !ok {
		if read {
			file, err = os.Open(name)
		} else {
			file, err = os.Create(name)
		}
		return file, func() error { return nil }, err
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Stdout, cmd.Stderr = f.call.Stdout, f.call.Stderr
	out, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	file, other := in, out
	if read {
		cmd.Stdout, file, other = in, out, in
	} else {
		cmd.Stdin = out
	}
	err = cmd.Start()
	other.Close()
	if err != nil {
		file.Close()
	}
	return file, cmd.Wait, err
}
