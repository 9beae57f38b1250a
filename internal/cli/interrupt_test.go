package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
)

// offline are command lines of the subcommands that need no host.
var offline = map[string][]string{
	"attributes ls":      {"attributes ls"},
	"attributes show":    {"attributes show mtu saved"},
	"audit":              {"audit saved", "audit saved --since saved"},
	"compare":            {"compare saved"},
	"defects check":      {"defects check saved"},
	"defects ls":         {"defects ls"},
	"defects show":       {"defects show IJ12809"},
	"diff":               {"diff saved saved"},
	"drift":              {"drift saved -f site.yaml"},
	"site init":          {"site init saved"},
	"fleet cancel":       {"fleet cancel latest"},
	"fleet join":         {"fleet join --token nosuch"},
	"fleet remove":       {"fleet remove dmz"},
	"fleet schedule ls":  {"fleet schedule ls"},
	"fleet schedule put": {"fleet schedule put x @daily"},
	"fleet schedule rm":  {"fleet schedule rm x"},
	"fleet serve": {"fleet serve --listen 127.0.0.1:0 --pages 127.0.0.1:0",
		"fleet serve --listen 127.0.0.1:0 --pages none --local"},
	"fleet status":      {"fleet status"},
	"fleet sweep":       {"fleet sweep --wait"},
	"fleet token":       {"fleet token dmz -o dmz.token"},
	"fleet zones":       {"fleet zones"},
	"help":              {"help audit"},
	"history add":       {"history add saved"},
	"history at":        {"history at now lpar1"},
	"history diff":      {"history diff 1h now"},
	"history ls":        {"history ls"},
	"history prune":     {"history prune --older 1h"},
	"history restore":   {"history restore -o restored"},
	"history similar":   {"history similar lpar1"},
	"history since":     {"history since mtu"},
	"history where":     {`history where el.on("mtu_bypass")`},
	"import":            {"import saved -o imported", "import - -o imported"},
	"inventory":         {"inventory"},
	"man":               {"man pages"},
	"plan":              {"plan saved"},
	"report":            {"report saved"},
	"rules facts":       {"rules facts"},
	"rules ls":          {"rules ls"},
	"rules show":        {"rules show R001"},
	"rules test":        {"rules test"},
	"serve":             {"serve saved --listen 127.0.0.1:0"},
	"show host":         {"show host saved"},
	"show map":          {"show map saved"},
	"show path":         {"show path lpar1 lpar2 saved"},
	"show tree":         {"show tree saved"},
	"status":            {"status"},
	"status prune":      {"status prune"},
	"support-bundle":    {"support-bundle -o bundle.tgz"},
	"tune":              {"tune saved --from lpar1 --to lpar2 --design"},
	"version":           {"version"},
	"export dashboards": {"export dashboards boards"},
	"export parquet":    {"export parquet tables saved"},
	"export prometheus": {"export prometheus saved"},
	"history results":   {"history results"},
}

// soon is when an interrupted command has ended, on a busy machine.
const soon = 5 * time.Second

// Ctrl-C ends every subcommand, whatever it is at: a host that does not answer, or
// any moment of one that needs no host. What comes after it, such as taking changes
// back, finds hosts that answer.
func TestInterruptedAnywhere(t *testing.T) {
	for _, name := range []string{"XDG_STATE_HOME", "HOME"} {
		t.Setenv(name, t.TempDir())
	}
	var commands atomic.Int64 // until a host is silent
	var silent atomic.Pointer[chan struct{}]
	var interrupted atomic.Pointer[context.Context]
	handlers := map[string]remotetest.Handler{}
	for login, h := range fakeFleet(t) {
		handlers[login] = func(ctx context.Context, c *remotetest.Call) int {
			if commands.Add(-1) == 0 {
				close(*silent.Load())
				select {
				case <-ctx.Done():
					return 1
				case <-(*interrupted.Load()).Done():
				}
			}
			return h.serve(ctx, c)
		}
	}
	fleet := remotetest.Start(t, handlers)
	t.Chdir(t.TempDir())
	inventory := "ssh_config: " + fleet.Config + "\nhosts:\n  lpar1: {}\n  vios1: {platform: vios}\n  vios2: {platform: vios}\n  lpar2: {}\n"
	if err := os.WriteFile("hosts.yaml", []byte(inventory), 0o600); err != nil {
		t.Fatal(err)
	}
	writeSite(t)
	errInterrupt := errors.New("interrupt signal received")
	var slowest time.Duration
	var slowestLine string
	// run interrupts a command line at the moment that comes first.
	run := func(line string, after int64, moment time.Duration) (whole time.Duration) {
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		quiet := make(chan struct{})
		silent.Store(&quiet)
		interrupted.Store(&ctx)
		commands.Store(after)
		stdin, typed := io.Pipe() // nobody types
		defer typed.Close()
		ended := make(chan struct{})
		var out bytes.Buffer
		began := time.Now()
		go func() {
			defer close(ended)
			cli.Main(ctx, append(strings.Fields(line), "-i", "hosts.yaml"), stdin, &out, &out)
		}()
		var at <-chan time.Time
		if moment > 0 {
			at = time.After(moment)
		}
		select {
		case <-ended:
			return time.Since(began)
		case <-quiet:
		case <-at:
		}
		cancel(errInterrupt)
		now := time.Now()
		select {
		case <-ended:
		case <-time.After(20 * soon):
			t.Fatalf("%s: no end %s after Ctrl-C", line, 20*soon)
		}
		took := time.Since(now)
		if took > soon {
			t.Errorf("%s: ended %s after Ctrl-C, want %s or less\n%s", line, took, soon, out.String())
		}
		if took > slowest {
			slowest, slowestLine = took, line
		}
		return time.Since(began)
	}
	for _, line := range []string{"plan -o plan.json", "apply plan.json", "collect -o saved --no-ping"} {
		run(line, 0, 0)
	}
	random := draw.Fixed(t, 1, 0)
	drawn := draw.OneIn(t, 16, subcommands(t))
	for _, name := range subcommands(t) {
		if slices.Contains([]string{"lab", "demo", "rehearse", "tour", "completion"}, name) { // another program's; a fixed text
			continue
		}
		if len(loggingIn[name])+len(offline[name]) == 0 {
			t.Errorf("seaworthy %s is in neither table", name)
		}
		if !slices.Contains(drawn, name) {
			continue
		}
		for _, line := range loggingIn[name] {
			run(line, 1+random.Int64N(8), 0)
		}
		for _, line := range offline[name] {
			run(line, 0, time.Duration(1+random.IntN(30))*time.Millisecond)
		}
	}
	for name := range offline {
		if !slices.Contains(subcommands(t), name) {
			t.Errorf("there is no seaworthy %s", name)
		}
	}
	t.Logf("slowest: %s after %s", slowestLine, slowest)
}
