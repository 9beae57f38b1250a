package traffic

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/textproto"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"seaworthy/lab/node"
)

const ftpUsage = "Usage: ftp [-n] [-v] [Host [Port]]"

// ftp is the file transfer client: open, user, put, get, binary, ascii,
// status, close, bye. Commands come from the terminal or from standard input.
// A local file named "| command" is that command's output or input.
func ftp(ctx context.Context, c *node.Call) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	f := &ftpClient{call: c, in: bufio.NewReader(c.Stdin)}
	o, err := node.Letters("nvidg", c.Argv[1:])
	if err != nil || len(o.Rest) > 2 {
		fmt.Fprintln(c.Stderr, ftpUsage)
		return 1
	}
	f.login = !o.Has("n")
	if file, ok := c.Stdin.(*os.File); ok {
		f.tty = term.IsTerminal(int(file.Fd()))
	}
	defer f.close()
	status := 0
	say := func(err error) {
		if err != nil {
			status = 1
			fmt.Fprintf(c.Stdout, "%v\n", err)
		}
	}
	if len(o.Rest) > 0 {
		say(f.open(ctx, o.Rest))
	}
	for {
		line, err := f.ask("ftp> ", f.tty)
		words, bad := split(line)
		switch {
		case bad != nil:
			say(bad)
		case len(words) > 0 && (words[0] == "bye" || words[0] == "quit" || words[0] == "exit"):
			say(f.quit())
			return status
		case len(words) > 0:
			say(f.run(ctx, words))
		}
		if err != nil {
			say(f.quit())
			return status
		}
	}
}

// ask prompts and reads a line; the last one may come with an error.
func (f *ftpClient) ask(prompt string, shown bool) (string, error) {
	if shown {
		io.WriteString(f.call.Stdout, prompt)
	}
	line, err := f.in.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

var (
	word   = regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s"'])+`)
	quoted = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
)

// split cuts a line into words; quotes hold blanks.
func split(line string) (words []string, err error) {
	if strings.TrimSpace(word.ReplaceAllString(line, "")) != "" {
		return nil, errors.New("a quote is not closed")
	}
	for _, w := range word.FindAllString(line, -1) {
		words = append(words, quoted.ReplaceAllString(w, "$1$2"))
	}
	return words, nil
}

// orders of the protocol by the commands that are no more than that.
var orders = map[string]string{"binary": "TYPE I", "image": "TYPE I", "ascii": "TYPE A", "pwd": "PWD", "system": "SYST"}

func (f *ftpClient) run(ctx context.Context, words []string) error {
	switch words[0] {
	case "open":
		return f.open(ctx, words[1:])
	case "verbose", "hash", "prompt", "bell", "sunique":
		return nil
	case "status":
		if f.conn == nil {
			fmt.Fprintln(f.call.Stdout, "Not connected.")
		} else {
			fmt.Fprintf(f.call.Stdout, "Connected to %s.\n", f.host)
		}
		return nil
	}
	if f.conn == nil {
		return errors.New("not connected: open HOST first")
	}
	switch words[0] {
	case "user":
		if len(words) < 2 {
			return errors.New("user needs a name")
		}
		return f.enter(words[1], words[2:])
	case "put", "send", "get", "recv":
		if len(words) < 2 || len(words) > 3 {
			return fmt.Errorf("%s needs a file, and may have the name at the other side", words[0])
		}
		from, to := words[1], words[len(words)-1]
		if words[0] == "put" || words[0] == "send" {
			return f.transfer(ctx, true, from, to)
		}
		return f.transfer(ctx, false, to, from)
	case "quote":
		return f.command(0, strings.Join(words[1:], " "))
	case "close", "disconnect":
		return f.quit()
	}
	if order := orders[words[0]]; order != "" {
		return f.command(0, order)
	}
	return fmt.Errorf("?%s is not in this lab's ftp", words[0])
}

func (f *ftpClient) open(ctx context.Context, to []string) error {
	if f.conn != nil {
		return fmt.Errorf("connected to %s already: close first", f.host)
	}
	if len(to) < 1 || len(to) > 2 {
		return errors.New("open needs a host, and may have a port")
	}
	port := ftpPort
	if len(to) == 2 {
		var err error
		if port, err = count(to[1], 1, 65535); err != nil {
			return err
		}
	}
	ip, err := resolve(ctx, to[0])
	if err != nil {
		return fmt.Errorf("ftp: %w", err)
	}
	d := net.Dialer{Timeout: 30 * time.Second}
	conn, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(ip, uint16(port)).String())
	if err != nil {
		return fmt.Errorf("ftp: connect to %s: %w (in this lab ftpd is started there by hand)", to[0], plain(err))
	}
	f.conn, f.host, f.replies = conn, to[0], textproto.NewReader(bufio.NewReader(conn))
	fmt.Fprintf(f.call.Stdout, "Connected to %s.\n", to[0])
	if err := f.reply(220); err != nil || !f.login {
		return err
	}
	if name, password, ok := netrc(to[0]); ok {
		return f.enter(name, []string{password})
	}
	name, err := f.ask(fmt.Sprintf("Name (%s:%s): ", to[0], f.call.User), true)
	if err != nil && name == "" {
		return nil
	}
	if name == "" {
		name = f.call.User
	}
	return f.enter(name, nil)
}

// netrc is the login for a host that the user's .netrc names.
func netrc(host string) (login, password string, ok bool) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), ".netrc"))
	if err != nil {
		return "", "", false
	}
	words := strings.Fields(string(text))
	for i := 0; i+1 < len(words); i += 2 {
		switch key, value := words[i], words[i+1]; {
		case key == "machine":
			if ok {
				return login, password, ok
			}
			ok = value == host
		case key == "login" && ok:
			login = value
		case key == "password" && ok:
			password = value
		}
	}
	return login, password, ok
}

// enter logs in, asking for the password unless it is given.
func (f *ftpClient) enter(user string, given []string) error {
	if err := f.command(331, "USER "+user); err != nil {
		return err
	}
	var password string
	switch {
	case len(given) > 0:
		password = given[0]
	case f.tty:
		io.WriteString(f.call.Stdout, "Password:")
		b, err := term.ReadPassword(int(f.call.Stdin.(*os.File).Fd()))
		fmt.Fprintln(f.call.Stdout)
		if err != nil {
			return err
		}
		password = string(b)
	default:
		password, _ = f.ask("Password:\n", true)
	}
	return f.command(230, "PASS "+password)
}
