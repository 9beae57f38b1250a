// Package deploy gets seaworthy-probe running on a host and takes it away
// again. An installed helper that speaks the protocol is used in place;
// else the right binary is copied over the session into a temporary folder of
// its own, from where the helper deletes itself as its first act, so that
// nothing is left whatever happens to the session afterwards.
package deploy

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/measure/probe"
	"seaworthy/internal/remote"
)

// Limits of the single steps.
const (
	helloWait  = 20 * time.Second
	uploadWait = 3 * time.Minute
	removeWait = 10 * time.Second
	endWait    = 3 * time.Second
)

// Agent is a helper that runs on a host.
type Agent struct {
	Host     remote.Host
	Client   *probe.Client
	Uploaded bool // it was copied there for this session

	session *remote.Session
	stderr  *remote.Output
}

// absent marks the answer of a host without a helper.
const absent = "seaworthy-probe-absent"

// Start gets a helper running: the installed one if it speaks the protocol, else a
// copy, which is searched in dirs and then in the folder of the running program.
// Nothing is sent to a system on which none runs. It lives until Close or the end
// of the context. Errors name the host and the command.
func Start(ctx context.Context, host remote.Host, system System, dirs []string) (*Agent, error) {
	goos, goarch, err := system.platform()
	if err != nil {
		return nil, &remote.Error{Host: host.Name(), Command: "seaworthy-probe", Err: err,
			Hint: "choose a load generator that both ends have: --driver"}
	}
	a, err := greet(ctx, host, system.session(`p=$(command -v seaworthy-probe) && exec "$p" control; echo `+absent))
	var none *probe.NoHelloError
	missing := errors.As(err, &none) && strings.Contains(none.Text, absent)
	if err == nil || !missing && !errors.Is(err, probe.ErrProtocol) {
		return a, err
	}
	if system.Padmin {
		return nil, &remote.Error{Host: host.Name(), Command: "seaworthy-probe", Err: errors.New("padmin cannot be sent it"),
			Hint: "install it there, or log in as root"}
	}
	return upload(ctx, host, dirs, goos, goarch)
}

// greet starts a command line and waits for the helper's greeting.
func greet(ctx context.Context, host remote.Host, line string) (*Agent, error) {
	s, err := host.Start(ctx, line)
	if err != nil {
		return nil, err
	}
	a := &Agent{Host: host, session: s, stderr: remote.NewOutput(4 << 10)}
	go func() { _, _ = io.Copy(a.stderr, s.Stderr) }() // until the session ends
	wait, cancel := context.WithTimeout(ctx, helloWait)
	defer cancel()
	if a.Client, err = probe.NewClient(wait, s.Stdin, s.Stdout); err != nil {
		a.Close()
		return nil, &remote.Error{Host: host.Name(), Command: line, Err: a.why(err)}
	}
	return a, nil
}

// why adds what the helper, or the shell in its place, printed on stderr.
func (a *Agent) why(err error) error {
	if text := strings.TrimSpace(string(a.stderr.Bytes())); text != "" {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// Fail wraps an error of the helper with the host, and with what the helper
// printed on stderr; nil stays nil.
func (a *Agent) Fail(err error) error {
	if err == nil {
		return nil
	}
	return &remote.Error{Host: a.Host.Name(), Command: "seaworthy-probe", Err: a.why(err)}
}

func upload(ctx context.Context, host remote.Host, dirs []string, goos, goarch string) (*Agent, error) {
	fail := func(err error, hint string) error {
		return &remote.Error{Host: host.Name(), Command: "copy of seaworthy-probe", Err: err, Hint: hint}
	}
	path, err := Find(dirs, goos, goarch)
	if err != nil {
		return nil, fail(err, "packages have it in /usr/lib/seaworthy; make probes, in seaworthy's source folder, writes "+
			"bin/seaworthy-probe-"+goos+"-"+goarch+": copy it beside seaworthy, name its folder with --probes, or install it on the host")
	}
	binary, err := os.ReadFile(path)
	if err != nil {
		return nil, fail(err, "")
	}
	// The name is chosen here, so that the folder can be removed even if the
	// host's answer is lost; mkdir makes it ours or fails.
	var random [16]byte
	rand.Read(random[:])
	dir := `"${TMPDIR:-/tmp}/seaworthy-probe.` + hex.EncodeToString(random[:]) + `"`
	remove := func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeWait)
		defer cancel()
		// Best effort: the error that led here is the one to report.
		_, _ = host.Run(ctx, remote.Command{Line: "sh -c 'rm -rf " + dir + "'", Limit: removeWait})
	}
	script := fmt.Sprintf(`umask 077; d=%s; mkdir "$d" || exit 3; `+
		`trap "exit 4" HUP INT TERM; trap "test -n \"\$kept\" || rm -rf \"\$d\"" EXIT; `+
		`cat >"$d/seaworthy-probe" && test "$(wc -c <"$d/seaworthy-probe")" -eq %d && `+
		`chmod 700 "$d/seaworthy-probe" || exit 5; kept=1`, dir, len(binary))
	r, err := host.Run(ctx, remote.Command{Line: "sh -c '" + script + "'", Stdin: bytes.NewReader(binary), Limit: uploadWait})
	if err != nil {
		remove()
		return nil, err
	}
	if r.Exit != 0 {
		remove()
		return nil, fail(fmt.Errorf("exit status %d: %s", r.Exit, strings.TrimSpace(string(r.Stderr))), "is there room in the host's TMPDIR?")
	}
	a, err := greet(ctx, host, "sh -c 'd="+dir+`; exec "$d/seaworthy-probe" control --remove-self'`)
	if err != nil {
		remove()
		return nil, err
	}
	a.Uploaded = true
	return a, nil
}

// Close ends the helper: it goes when its stdin closes, and is ended if it
// does not.
func (a *Agent) Close() error { return End(a.session, endWait) }

// End closes the stdin of what a session runs, and ends it if it has not gone in time.
func End(s *remote.Session, wait time.Duration) error {
	s.Stdin.Close()
	ended := make(chan struct{})
	go func() {
		_, _ = s.Wait() // its status does not matter any more
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(wait):
	}
	return s.Close()
}

// Find looks for the helper of a platform in folders, in order, then in the one of
// the running program, then where a package installs helpers beside it: ../lib/seaworthy.
func Find(dirs []string, goos, goarch string) (string, error) {
	if self, err := os.Executable(); err == nil {
		own := filepath.Dir(self)
		dirs = append(slices.Clip(dirs), own, filepath.Join(filepath.Dir(own), "lib", "seaworthy"))
	}
	names := []string{"seaworthy-probe-" + goos + "-" + goarch}
	if goos == runtime.GOOS && goarch == runtime.GOARCH {
		names = slices.Insert(names, 0, "seaworthy-probe") // made with this program
	}
	for _, dir := range dirs {
		for _, name := range names {
			path := filepath.Join(dir, name)
			i, err := os.Stat(path)
			if err == nil && i.Mode().IsRegular() {
				return path, nil
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("no %s in %s", strings.Join(names, " or "), strings.Join(dirs, ", "))
}
