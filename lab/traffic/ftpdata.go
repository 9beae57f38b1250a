package traffic

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"time"
)

// ftpBuffer is one read and write of a transfer.
const ftpBuffer = 64 << 10

// data opens a port for one transfer, tells the server, and gives the
// connection that the server makes.
func (f *ftpClient) data(ctx context.Context, order string) (net.Conn, error) {
	own, err := netip.ParseAddrPort(f.conn.LocalAddr().String())
	if err != nil {
		return nil, err
	}
	ip := own.Addr().Unmap()
	if !ip.Is4() {
		return nil, fmt.Errorf("ftp: %s: only IPv4 has PORT", ip)
	}
	l, err := net.Listen("tcp", netip.AddrPortFrom(ip, 0).String())
	if err != nil {
		return nil, err
	}
	defer l.Close()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		return nil, err
	}
	a := ip.As4()
	if err := f.command(200, fmt.Sprintf("PORT %d,%d,%d,%d,%d,%d", a[0], a[1], a[2], a[3], at.Port()>>8, at.Port()&0xff)); err != nil {
		return nil, err
	}
	if err := f.command(150, order); err != nil {
		return nil, err
	}
	_ = l.(*net.TCPListener).SetDeadline(time.Now().Add(30 * time.Second))
	conn, err := l.Accept()
	if err != nil {
		return nil, fmt.Errorf("%s: data connection: %w", f.host, err)
	}
	return conn, nil
}

func (f *ftpClient) put(ctx context.Context, local, remote string) error {
	from, finish, err := f.source(ctx, local)
	if err != nil {
		return err
	}
	conn, err := f.data(ctx, "STOR "+remote)
	if err != nil {
		from.Close()
		_ = finish()
		return err
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	began := time.Now()
	n, err := io.CopyBuffer(struct{ io.Writer }{conn}, struct{ io.Reader }{from}, make([]byte, ftpBuffer))
	conn.Close()
	from.Close() // the command behind a pipe must not hang on us
	ended := finish()
	took := time.Since(began)
	if answer := f.reply(226); err == nil {
		err = answer
	}
	f.summary(n, "sent", took, local, remote)
	if err == nil && ended != nil {
		err = fmt.Errorf("%s: %w", local, ended)
	}
	return err
}

func (f *ftpClient) get(ctx context.Context, remote, local string) error {
	to, finish, err := f.target(ctx, local)
	if err != nil {
		return err
	}
	conn, err := f.data(ctx, "RETR "+remote)
	if err != nil {
		to.Close()
		_ = finish()
		return err
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	began := time.Now()
	n, err := io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{conn}, make([]byte, ftpBuffer))
	conn.Close()
	if closed := to.Close(); err == nil {
		err = closed
	}
	ended := finish()
	took := time.Since(began)
	if answer := f.reply(226); err == nil {
		err = answer
	}
	f.summary(n, "received", took, local, remote)
	if err == nil {
		err = ended
	}
	return err
}

func (f *ftpClient) summary(n int64, done string, took time.Duration, local, remote string) {
	seconds := took.Seconds()
	if seconds <= 0 {
		seconds = 1e-9
	}
	fmt.Fprintf(f.call.Stdout, "%d bytes %s in %.4g seconds (%.4g Kbytes/s)\n", n, done, seconds, float64(n)/1024/seconds)
	fmt.Fprintf(f.call.Stdout, "local: %s remote: %s\n", local, remote)
}

// source opens a local file, or the output of "| command".
func (f *ftpClient) source(ctx context.Context, name string) (io.ReadCloser, func() error, error) {
	line, ok := strings.CutPrefix(name, "|")
	if !ok {
		file, err := os.Open(name)
		return file, func() error { return nil }, err
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Stderr = f.call.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	return out, cmd.Wait, cmd.Start()
}

// target makes a local file, or gives the input of "| command".
func (f *ftpClient) target(ctx context.Context, name string) (io.WriteCloser, func() error, error) {
	line, ok := strings.CutPrefix(name, "|")
	if !ok {
		file, err := os.Create(name)
		return file, func() error { return nil }, err
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Stdout, cmd.Stderr = f.call.Stdout, f.call.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	return in, cmd.Wait, cmd.Start()
}
