package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

// Host runs commands on one host. A Host is safe for concurrent use.
type Host interface {
	// Name is the name the user gave, as it appears in every message.
	Name() string
	// Run runs one command line in the login shell and waits for it. A command
	// that ran and failed is not an error: see Result.Exit. An error means that the
	// command could not be run to its end (see Error).
	Run(ctx context.Context, c Command) (*Result, error)
	// Start runs a command line and leaves its three streams to the caller.
	Start(ctx context.Context, line string) (*Session, error)
	Close() error
}

// Disconnect ends the connection to a host that is done with for now. The next
// command makes another.
func Disconnect(h Host) {
	if d, ok := h.(interface{ Disconnect() }); ok {
		d.Disconnect()
	}
}

// User is who logs in to a host; empty where that is not known.
func User(h Host) string {
	if u, ok := h.(interface{ User() string }); ok {
		return u.User()
	}
	return ""
}

// Command is one command line for a host's login shell.
type Command struct {
	Line      string
	Work      Work          // what Line consists of, where a step of it may be root's
	Stdin     io.Reader     // nil: empty
	Limit     time.Duration // 0: DefaultLimit
	MaxOutput int64         // bytes kept of stdout and of stderr each; 0: DefaultMaxOutput
}

const (
	DefaultLimit     = 30 * time.Second
	DefaultMaxOutput = 16 << 20
)

// Result holds what a command did.
type Result struct {
	Stdout, Stderr []byte
	Exit           int
	Start          time.Time
	Duration       time.Duration
	Truncated      bool  // output beyond MaxOutput was read and thrown away
	Printed        int64 // bytes the host printed on stdout and stderr, kept or not
}

// Session is a running command. Wait returns its exit status; Close ends it.
type Session struct {
	Stdin  io.WriteCloser
	Stdout io.Reader
	Stderr io.Reader
	Wait   func() (exit int, err error)
	Close  func() error
	PID    int // of the process, if it runs on this machine
}

// Reasons a command could not be run to its end, for errors.Is.
var (
	ErrConfig      = errors.New("SSH configuration") // it does not say how to reach the host
	ErrUnreachable = errors.New("unreachable")       // no connection
	ErrNoAddress   = errors.New("no such host in the SSH configuration or DNS")
	ErrHostKey     = errors.New("host key not accepted")  // unknown or changed
	ErrAuth        = errors.New("authentication refused") // no key accepted
	ErrTimeout     = errors.New("time limit reached")     // the command's limit
	ErrLost        = errors.New("connection lost")        // in the middle of a command
)

// Error says which host and which command failed, why, and what to do.
type Error struct {
	Host    string
	Command string // empty while connecting
	Err     error  // wraps one of the reasons above
	Hint    string // what the user can do; may be empty
}

func (e *Error) Error() string {
	s := e.Host + ": "
	if e.Command != "" {
		s += fmt.Sprintf("%s: ", e.Command)
	}
	s += e.Err.Error()
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// On names the host before an error that does not begin with it.
func On(host string, err error) error {
	if strings.HasPrefix(err.Error(), host+": ") {
		return err
	}
	return fmt.Errorf("%s: %w", host, err)
}

// Named gives an error the line that the caller knows, where a longer one was sent.
func Named(err error, line string) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Command != "" {
		plain := *e
		plain.Command = line
		return &plain
	}
	return err
}

// Brief makes foreign text fit for a message: one line, printable, short.
func Brief(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}
