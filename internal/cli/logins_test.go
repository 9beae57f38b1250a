package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
)

// subcommands are all of the program that do something, by their words.
func subcommands(t testing.TB, words ...string) []string {
	t.Helper()
	var out bytes.Buffer
	cli.Main(context.Background(), append(slices.Clone(words), "--help"), strings.NewReader(""), &out, io.Discard)
	_, list, found := strings.Cut(out.String(), "Available Commands:\n")
	if !found || len(words) > 0 && slices.Contains([]string{"lab", "demo", "rehearse", "completion"}, words[0]) {
		return []string{strings.Join(words, " ")}
	}
	var all []string
	if name := strings.Join(words, " "); loggingIn[name] != nil { // it does something itself, too
		all = append(all, name)
	}
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range available.FindAllStringSubmatch(list, -1) {
		all = append(all, subcommands(t, append(slices.Clone(words), m[1])...)...)
	}
	return all
}

// loggingIn are command lines of every subcommand that logs in, on hosts of which
// lpar1 refuses the key. One without any never logs in.
var loggingIn = map[string][]string{
	"apply":           {"apply plan.json", "apply plan.json --confirm-within 1m"},
	"attributes ls":   nil,
	"attributes show": {"attributes show mtu_bypass lpar1"},
	"audit":           {"audit", "audit lpar1", "audit --path lpar1,lpar2"},
	"bench compare": {"bench compare --from lpar1 --to lpar2 --set lpar1:en0:mtu_bypass=on",
		"bench compare --from lpar1 --to lpar2 --plan plan.json"},
	"bench matrix":       {"bench matrix --from lpar1 --to lpar2 --vary lpar1:en0:mtu_bypass=on,off"},
	"bench mesh":         {"bench mesh lpar1 lpar2", "bench mesh lpar2 lpar1 --sessions 2"},
	"bench run":          {"bench run --from lpar1 --to lpar2", "bench run --from lpar2 --to lpar1"},
	"cleanup":            {"cleanup lpar1"},
	"collect":            {"collect -o out", "collect lpar1 -o out1", "collect lpar1 -o redacted --redact key"},
	"compare":            {"compare lpar1 lpar2", "compare --platform vios"},
	"completion":         nil,
	"confirm":            {"confirm 20200101-000000-abcdef lpar1"},
	"defects check":      {"defects check", "defects check lpar1"},
	"defects ls":         nil,
	"defects show":       nil,
	"demo":               nil,
	"rehearse":           nil,
	"diagnose":           {"diagnose lpar1 lpar2", "diagnose lpar2 lpar1"},
	"diff":               {"diff saved lpar1"},
	"doctor":             {"doctor lpar1", "doctor"},
	"fleet cancel":       nil,
	"fleet join":         nil, // when a hub asks: once a host and sweep, as collect does
	"fleet remove":       nil,
	"fleet schedule ls":  nil,
	"fleet schedule put": nil,
	"fleet schedule rm":  nil,
	"fleet serve":        nil, // as fleet join
	"fleet status":       nil,
	"fleet sweep":        nil,
	"fleet token":        nil,
	"fleet zones":        nil,
	"help":               nil,
	"history add":        nil,
	"history at":         nil,
	"history diff":       nil,
	"history ls":         nil,
	"history prune":      nil,
	"history restore":    nil,
	"history similar":    nil,
	"history since":      nil,
	"history where":      nil,
	"import":             nil,
	"inventory":          nil,
	"lab":                nil,
	"man":                nil,
	"plan":               {"plan", "plan lpar1", "plan --set lpar1:en0:mtu_bypass=off"},
	"predict":            {"predict --from lpar1 --to lpar2", "predict lpar2 lpar1 --from lpar2 --to lpar1"},
	"probe mtu":          {"probe mtu lpar1 lpar2", "probe mtu lpar2 lpar1"},
	"report":             nil,
	"rollback":           {"rollback latest"},
	"rules facts":        nil,
	"rules ls":           nil,
	"rules show":         nil,
	"rules test":         nil,
	"serve":              nil, // until a page asks for hosts: as top does
	"show host":          {"show host", "show host lpar1"},
	"show map":           {"show map"},
	"show path":          {"show path lpar1 lpar2", "show path lpar2 lpar1"},
	"show tree":          {"show tree"},
	"status":             {"status --host lpar1"},
	"status prune":       nil,
	"support-bundle":     nil,
	"top":                {"top lpar1 --once", "top --once --every 500ms"},
	"drift":              {"drift lpar1 -f site.yaml", "drift -f site.yaml"},
	"site init":          {"site init", "site init lpar1"},
	"tour":               nil,
	"export dashboards":  nil,
	"export parquet":     nil,
	"export prometheus":  {"export prometheus", "export prometheus lpar1 --site site.yaml"},
	"history results":    nil,
	"tune": {"tune --from lpar1 --to lpar2 --yes", "tune --from lpar2 --to lpar1 --design",
		"tune lpar1 vios1 lpar2 --from lpar1 --to lpar2 --yes"},
	"version": nil,
}

// writeSite writes site.yaml, which drift reads, into the working folder.
func writeSite(t *testing.T) {
	t.Helper()
	text := "schema: seaworthy.site/1\nwanted: [{name: largesend, reason: x, of: {kind: interface}, values: {mtu_bypass: \"on\"}}]\n"
	err := os.WriteFile("site.yaml", []byte(text), 0o600)
	if err != nil {
		t.Fatal(err)
	}
}

// A host that refuses the key sees one login a command, whatever the command asks
// and however often it connects; so does the one that is let in. More would lock
// an account.
func TestOneLogin(t *testing.T) {
	fleet := aloneWith(t, "  lpar1: {}\n  vios1: {platform: vios}\n  vios2: {platform: vios}\n  lpar2: {}\n")
	writeSite(t)
	run := func(line string) (int, string) {
		var out, errs bytes.Buffer
		exit := cli.Main(t.Context(), append(strings.Fields(line), "-i", "hosts.yaml"), strings.NewReader(""), &out, &errs)
		return exit, errs.String()
	}
	refusing, others := fleet.Server("lpar1"), []*remotetest.Server{fleet.Server("lpar2"), fleet.Server("vios1"), fleet.Server("vios2")}
	for _, line := range []string{"plan -o plan.json", "apply plan.json", "collect -o saved --no-ping"} {
		before := refusing.Connections()
		if exit, said := run(line); exit != 0 && exit != 2 {
			t.Fatalf("%s: exit status %d\n%s", line, exit, said)
		}
		if n := refusing.Connections() - before; n != 1 {
			t.Errorf("%s: lpar1, which takes the key yet, saw %d logins", line, n)
		}
	}
	refusing.RefuseLogins(true)
	drawn := draw.OneIn(t, 4, subcommands(t))
	for _, name := range subcommands(t) {
		lines, known := loggingIn[name]
		if !known {
			t.Errorf("seaworthy %s is not in the table: does it log in?", name)
		}
		if !slices.Contains(drawn, name) {
			continue
		}
		for _, line := range lines {
			var counts []int
			for _, s := range others {
				counts = append(counts, s.Connections())
			}
			before := refusing.Connections()
			exit, said := run(line)
			if exit == 0 || exit == 64 {
				t.Errorf("%s: exit status %d\n%s", line, exit, said)
			}
			if n := refusing.Connections() - before; n != 1 {
				t.Errorf("%s: lpar1, which refuses the key, saw %d logins, want 1\n%s", line, n, said)
			}
			for i, s := range others {
				if n := s.Connections() - counts[i]; n > 1 {
					t.Errorf("%s: a host that takes the key saw %d logins, want 1", line, n)
				}
			}
		}
	}
}
