package traffic

import (
	"context"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/dialect/load/iperf2"
	"seaworthy/lab/node"
	"seaworthy/probe/sock"
)

const iperfUsage = `Usage: iperf [-s|-c host] [options]
Try ` + "`iperf --help'" + ` for more information.
`

const iperfHelp = `Usage: iperf [-s|-c host] [options]

  -c HOST   client, connect to HOST      -s       server
  -P N      parallel connections (1)     -t SEC   time to send (10)
  -l SIZE   bytes per write (128K)       -w SIZE  TCP window
  -p PORT   port (5001)                  -i SEC   interval between reports
  -f X      format: k m g t K M G T a    -N       TCP_NODELAY
  -n SIZE   bytes to send, instead of -t    -D       server: in the background
SIZE takes k, m, g (10^3) and K, M, G (2^10).
`

// iperfRun is one invocation.
type iperfRun struct {
	call     *node.Call
	server   bool
	host     string
	port     int
	parallel int
	length   int
	bytes    int // to send in all, per connection; 0: by time
	window   int
	seconds  float64
	interval float64
	style    iperf2.Style
	nodelay  bool
	daemon   bool

	mu      sync.Mutex // what is below, and whole blocks of output
	headed  bool       // the heading of the intervals was printed
	printed error
}

// iperf is iperf 2, TCP only.
func iperf(ctx context.Context, c *node.Call) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	r := &iperfRun{call: c, port: 5001, parallel: 1, length: 128 << 10, seconds: 10}
	for _, a := range c.Argv[1:] {
		switch a {
		case "--help", "-h":
			io.WriteString(c.Stdout, iperfHelp)
			return 0
		case "--version", "-v":
			io.WriteString(c.Stdout, "iperf of a seaworthy lab: TCP tests as iperf version 2 has them\n")
			return 0
		}
	}
	options, operands, err := getopt(c.Argv[1:], "c:sDP:t:l:w:p:i:f:n:b:NuvmeV", true)
	if err != nil {
		fmt.Fprintf(c.Stderr, "iperf: %v\n%s", err, iperfUsage)
		return 1
	}
	if len(operands) > 0 {
		fmt.Fprintf(c.Stderr, "iperf: ignoring extra argument -- %s\n", operands[0])
	}
	for _, o := range options {
		if err := r.set(o); err != nil {
			fmt.Fprintf(c.Stderr, "iperf: -%c: %v\n", o.letter, err)
			return 1
		}
	}
	if r.server && r.daemon {
		return r.leave(ctx)
	}
	if r.server == (r.host != "") {
		io.WriteString(c.Stderr, iperfUsage)
		return 1
	}
	if r.server {
		err = r.serve(ctx)
	} else {
		err = r.send(ctx)
	}
	if err == nil {
		err = r.printed
	}
	if err != nil {
		fmt.Fprintln(c.Stderr, err)
		return 1
	}
	return 0
}

func (r *iperfRun) set(o option) (err error) {
	switch o.letter {
	case 'c':
		r.host = o.value
	case 's':
		r.server = true
	case 'P':
		r.parallel, err = count(o.value, 1, 1024)
	case 't':
		r.seconds, err = seconds(o.value, 0.1, 86400)
	case 'l':
		r.length, err = size(o.value, 64<<20)
	case 'n':
		r.bytes, err = size(o.value, 1<<50)
	case 'w':
		r.window, err = size(o.value, 1<<30)
	case 'p':
		r.port, err = count(o.value, 1, 65535)
	case 'i':
		r.interval, err = seconds(o.value, 0.1, 86400)
	case 'f':
		if len(o.value) != 1 {
			return fmt.Errorf("format %q is not one letter", o.value)
		}
		r.style = iperf2.Style(o.value[0])
		err = r.style.Check()
	case 'N':
		r.nodelay = true
	case 'u':
		err = fmt.Errorf("this iperf sends TCP only")
	case 'b':
		err = fmt.Errorf("a rate is for UDP, and this iperf sends TCP only")
	case 'D':
		r.daemon = true
	}
	return err
}

func (r *iperfRun) options() sock.Options { return sock.Options{Window: r.window, NoDelay: r.nodelay} }

// print writes one block of lines; a reader that has gone ends the run.
func (r *iperfRun) print(lines ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.printLocked(lines...)
}

func (r *iperfRun) printLocked(lines ...string) {
	if _, err := fmt.Fprintln(r.call.Stdout, strings.Join(lines, "\n")); err != nil && r.printed == nil {
		r.printed = err
	}
}

// intervals prints interval lines, the first ones under the heading.
func (r *iperfRun) intervals(lines ...string) {
	if len(lines) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.headed {
		r.headed = true
		lines = append([]string{iperf2.Heading}, lines...)
	}
	r.printLocked(lines...)
}

// settings prints the block above the connections.
func (r *iperfRun) settings(first string, buffer *int) {
	lines := []string{iperf2.Rule, first}
	if buffer != nil {
		lines = append(lines, iperf2.Window(*buffer, r.window))
	}
	r.print(append(lines, iperf2.Rule)...)
}

func connectionLine(id int, c *sock.Conn) (string, error) {
	local, err := c.Local()
	if err != nil {
		return "", err
	}
	remote, err := c.Remote()
	if err != nil {
		return "", err
	}
	return iperf2.Connection(id, local, remote), nil
}

// line makes one interval line.
func (r *iperfRun) line(id int, sum bool, from, to time.Duration, bytes uint64) string {
	length := max((to - from).Seconds(), 1e-9)
	i := iperf2.Interval{
		Sum: sum, ID: id, Start: from.Seconds(), End: to.Seconds(),
		Transfer: iperf2.Transfer(float64(bytes), r.style), Bandwidth: iperf2.Bandwidth(8*float64(bytes)/length, r.style),
	}
	return i.String()
}

func again(e unix.Errno) bool { return e == unix.EAGAIN || e == unix.EINTR }
