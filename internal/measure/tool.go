package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/measure/deploy"
	"seaworthy/internal/measure/probe"
	"seaworthy/internal/remote"
)

// toolWait is how long a tool may take beyond its measured time, to connect
// and to print.
const toolWait = 20 * time.Second

// toolOutput bounds what is kept of a tool's output.
const toolOutput = 16 << 20

// tool runs a client and a server program that are installed on the hosts.
type tool struct {
	path     *Path
	server   *remote.Session
	serverIs string
	log      *remote.Output // the server's stdout and stderr

	cancel  context.CancelFunc
	done    chan struct{}
	clients []client
	read    func(server string, clients []client) (*Measure, error)
}

// client is one client process.
type client struct {
	line string
	out  *remote.Result
	err  error
}

// startTool starts the server on To and waits for its first words, or for the
// time a silent one needs to listen. The server ends with the session's stdin,
// whatever the tool itself would do.
func startTool(ctx context.Context, p *Path, server string, ready time.Duration) (*tool, error) {
	t := &tool{path: p, serverIs: server, log: remote.NewOutput(toolOutput), done: make(chan struct{}), cancel: func() {}}
	if server == "" {
		return t, nil
	}
	run := context.WithoutCancel(ctx) // the server outlives this step; Abort and Finish end it
	run, t.cancel = context.WithCancel(run)
	// A background reader of stdin ends the tool when the session goes.
	line := p.to.Line(`exec 3<&0; ` + server + ` </dev/null 2>&1 3<&- & p=$!; ` +
		`(cat <&3 >/dev/null; kill $p) >/dev/null 2>&1 & c=$!; exec 3<&-; wait $p; kill $c 2>/dev/null`)
	s, err := p.To.Start(run, line)
	if err != nil {
		t.cancel()
		return nil, err
	}
	t.server = s
	go func() { _, _ = io.Copy(io.Discard, s.Stderr) }()
	spoke, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		first := make([]byte, 1)
		n, _ := s.Stdout.Read(first)
		_, _ = t.log.Write(first[:n])
		close(spoke)
		_, _ = io.Copy(t.log, s.Stdout)
	}()
	select {
	case <-spoke:
	case <-time.After(ready):
	case <-ended:
	case <-ctx.Done():
		t.Abort()
		return nil, ctx.Err()
	}
	select {
	case <-ended:
		t.Abort()
		text := strings.Join(strings.Fields(string(t.log.Bytes())), " ")
		return nil, &remote.Error{Host: p.To.Name(), Command: server, Err: fmt.Errorf("it ended at once: %.300s", text)}
	case <-time.After(100 * time.Millisecond): // between the first line and listen
	}
	return t, nil
}

// start runs client lines on From, all at once, for seconds.
func (t *tool) start(ctx context.Context, lines []string, seconds float64) error {
	ctx = context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds*float64(time.Second))+toolWait)
	end := t.cancel
	t.cancel = func() { cancel(); end() }
	t.clients = make([]client, len(lines))
	limit := time.Duration(seconds*float64(time.Second)) + toolWait
	var wg sync.WaitGroup
	for i, line := range lines {
		t.clients[i].line = line
		wg.Go(func() {
			c := &t.clients[i]
			command := t.path.from.Command(line)
			command.Limit, command.MaxOutput = limit, toolOutput
			c.out, c.err = t.path.From.Run(ctx, command)
		})
	}
	go func() { wg.Wait(); close(t.done) }()
	// A client that cannot connect ends at once: say so before the warm-up.
	select {
	case <-t.done:
		return t.failure(errors.New("it ended at once"))
	case <-time.After(300 * time.Millisecond):
		return nil
	}
}

// failure is the first client's error, or otherwise.
func (t *tool) failure(otherwise error) error {
	for _, c := range t.clients {
		switch {
		case c.err != nil:
			return c.err
		case c.out.Exit != 0:
			text := strings.TrimSpace(string(c.out.Stderr) + string(c.out.Stdout))
			return &remote.Error{Host: t.path.From.Name(), Command: c.line, Err: fmt.Errorf("exit status %d: %.300s", c.out.Exit, text)}
		}
	}
	if otherwise != nil {
		c := t.clients[0]
		return &remote.Error{Host: t.path.From.Name(), Command: c.line, Err: fmt.Errorf("%w: %.300s", otherwise, c.out.Stdout)}
	}
	return nil
}

// stopServer closes the server's stdin and waits for its last words.
func (t *tool) stopServer() string {
	if t.server == nil {
		return ""
	}
	_ = deploy.End(t.server, 3*time.Second) // by a signal, as meant
	t.server = nil
	return string(t.log.Bytes())
}

// Abort ends clients and server.
func (t *tool) Abort() {
	t.stopServer()
	t.cancel()
	if t.clients != nil {
		<-t.done
	}
}

// Finish makes a Measure of what the tool printed.
func (t *tool) Finish(ctx context.Context, _ map[string]*probe.Report) (*Measure, error) {
	select {
	case <-t.done:
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %s: %w", t.path.From.Name(), t.clients[0].line, ctx.Err())
	}
	// The server learns of the end after its client.
	if err := cmp.Or(t.failure(nil), pause(ctx, 0.2)); err != nil {
		return nil, err
	}
	m, err := t.read(t.stopServer(), t.clients)
	t.cancel()
	if err != nil {
		return nil, &remote.Error{Host: t.path.From.Name(), Command: t.clients[0].line, Err: err}
	}
	if t.serverIs != "" {
		m.Commands = []string{t.path.To.Name() + ": " + t.serverIs}
	}
	for _, c := range t.clients {
		m.Commands = append(m.Commands, t.path.From.Name()+": "+c.line)
	}
	return m, nil
}
