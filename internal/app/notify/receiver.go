package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"seaworthy/internal/app"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/post"
)

// Receiver is who is told: a URL or a command.
type Receiver struct {
	url   string
	words []string // of a command and its arguments
}

// longest bounds all messages of one audit with their retries.
const longest = 30 * time.Second

// longestTarget bounds a file that names a receiver, in bytes.
const longestTarget = 4096

// Parse reads a receiver as a user names it: https://…, http://…, a command with its arguments
// between spaces, or @FILE that holds one of these.
func Parse(ctx context.Context, text string) (*Receiver, error) {
	file, named := strings.CutPrefix(text, "@")
	if named {
		var err error
		text, err = readTarget(ctx, file)
		if err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
		err := post.Check(text)
		if err != nil {
			return nil, app.Usage("--notify: %w", err)
		}
		return &Receiver{url: text}, nil
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, app.Usage("--notify: expected a URL, or a command and its arguments")
	}
	_, err := exec.LookPath(words[0])
	if err != nil {
		return nil, app.Usage("--notify %s: %w", words[0], errors.Unwrap(err))
	}
	return &Receiver{words: words}, nil
}

// readTarget reads a file that names a receiver, which others must not be able to read: its URL may be a secret.
func readTarget(ctx context.Context, file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("--notify @%s: %w", file, fileio.Cause(err))
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("--notify @%s: other users may read it: chmod 600", file)
	}
	data, err := decode.Read(ctx, file, longestTarget)
	if err != nil {
		return "", fmt.Errorf("--notify @%s: %w", file, fileio.Cause(err))
	}
	return strings.TrimSpace(string(data)), nil
}

// String is the receiver as it may be printed.
func (r *Receiver) String() string {
	if r.url != "" {
		return post.Shown(r.url)
	}
	return r.words[0]
}

// identity tells receivers apart.
func (r *Receiver) identity() string {
	if r.url != "" {
		return r.url
	}
	return strings.Join(r.words, "\x00")
}

// send gives a message to the receiver.
func (r *Receiver) send(ctx context.Context, text []byte) error {
	if r.url != "" {
		h := http.Header{}
		h.Set("Content-Type", "application/json")
		return post.Send(ctx, post.Message{URL: r.url, Header: h, Body: text, Within: longest})
	}
	return post.Retry(ctx, func() error { return r.run(ctx, text) })
}

// run runs the command, without a shell, with the message on its standard input.
func (r *Receiver) run(ctx context.Context, text []byte) error {
	c := exec.CommandContext(ctx, r.words[0], r.words[1:]...)
	c.Stdin = bytes.NewReader(text)
	said := &tail{}
	c.Stderr = said
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	err := c.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("%s: did not end within %s", r.words[0], longest)
	}
	if err != nil && said.text() != "" {
		return fmt.Errorf("%s: %w: %s", r.words[0], err, said.text())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.words[0], err)
	}
	return nil
}

// tail keeps the last bytes that a command printed.
type tail struct{ kept []byte }

// longestTail is how many.
const longestTail = 200

// Write implements io.Writer.
func (t *tail) Write(data []byte) (int, error) {
	t.kept = append(t.kept, data...)
	t.kept = t.kept[max(0, len(t.kept)-longestTail):]
	return len(data), nil
}

func (t *tail) text() string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(string(t.kept), "\uFFFD")), " ")
}
