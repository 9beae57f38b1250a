package traffic

import (
	"bufio"
	"cmp"
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
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
)

const ftpUsage = "Usage: ftp [-n] [-v] [Host [Port]]"

// FTP is the file transfer client: open, user, put, get, binary, ascii,
// status, close, bye. Commands come from the terminal or from standard input.
// A local file named "| command" is that command's output or input.
func FTP(ctx context.Context, c *node.Call) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	f := &ftpClient{call: c, in: bufio.NewReader(c.Stdin)}
	o, err := flags.Letters("nvidg", c.Argv[1:])
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
		say(bad)
		switch {
		case len(words) == 0:
		case slices.Contains([]string{"bye", "quit", "exit"}, words[0]):
			err = io.EOF
		default:
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
	verb, args := words[0], words[1:]
	switch verb {
	case "open":
		return f.open(ctx, args)
	case "verbose", "hash", "prompt", "bell", "sunique":
		return nil
	case "status":
		status := "Not connected."
		if f.conn != nil {
			status = fmt.Sprintf("Connected to %s.", f.host)
		}
		fmt.Fprintln(f.call.Stdout, status)
		return nil
	}
	if f.conn == nil {
		return errors.New("not connected: open HOST first")
	}
	switch verb {
	case "user":
		if len(args) == 0 {
			return errors.New("user needs a name")
		}
		return f.enter(args[0], args[1:])
	case "put", "send", "get", "recv":
		if len(args) < 1 || len(args) > 2 {
			return fmt.Errorf("%s needs a file, and may have the name at the other side", verb)
		}
		from, to := args[0], args[len(args)-1]
		if verb == "put" || verb == "send" {
			return f.transfer(ctx, true, from, to)
		}
		return f.transfer(ctx, false, to, from)
	case "quote":
		return f.command(0, strings.Join(args, " "))
	case "close", "disconnect":
		return f.quit()
	}
	if order := orders[verb]; order != "" {
		return f.command(0, order)
	}
	return fmt.Errorf("?%s is not in this lab's ftp", verb)
}

func (f *ftpClient) open(ctx context.Context, to []string) error {
	if f.conn != nil {
		return fmt.Errorf("connected to %s already: close first", f.host)
	}
	if len(to) < 1 || len(to) > 2 {
		return errors.New("open needs a host, and may have a port")
	}
	at, err := port(append(to, strconv.Itoa(ftpPort))[1])
	if err != nil {
		return err
	}
	ip, err := resolve(ctx, to[0])
	if err != nil {
		return fmt.Errorf("ftp: %w", err)
	}
	d := net.Dialer{Timeout: 30 * time.Second}
	conn, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(ip, uint16(at)).String())
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
	return f.enter(cmp.Or(name, f.call.User), nil)
}

// netrc is the login for a host that the user's .netrc names.
func netrc(host string) (login, password string, ok bool) {
	text, err := os.ReadFile(filepath.Join(os.Getenv("HOME"), ".netrc"))
	if err != nil {
		return "", "", false
	}
	_, of, ok := strings.Cut(" "+strings.Join(strings.Fields(string(text)), " ")+" ", " machine "+host+" ")
	of, _, _ = strings.Cut(" "+of, " machine ")
	words := strings.Fields(of)
	for i := 0; i+1 < len(words); i += 2 {
		switch words[i] {
		case "login":
			login = words[i+1]
		case "password":
			password = words[i+1]
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
