package cli_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"seaworthy/internal/cli"
	"seaworthy/internal/test/await"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/remotetest"
)

// evil holds what a host prints to be taken for something else: escape sequences (C0 and
// C1, as UTF-8 and as a byte), deletion, backspace, an order of letters turned round,
// what is not seen, and markup.
const evil = "\x1b[2J\x1b]0;t\x07\u009b1m\x9b\x7f\x08\u202ex\u2066\u200b\u2028\ufeff\"'><script>alert(1)</script>"

// planted are the places of an output where a host puts it.
var planted = []struct{ find, put string }{
	{`(?m)^(Node Name +: .*)$`, "$1" + evil},
	{`(?m)^(Partition Name +: .*)$`, "$1" + evil},
	{`(?m)^(hostname +\S+)( )`, "$1" + evil + "$2"},
	{`(?m)^(AIX )(\S+)( .*)$`, "$1$2" + evil + "$3"},
	{`(?m)^(mtu_bypass +)off( )`, "${1}off" + evil + "$2"},
	{`(?m)^(largesend +)\S+( )`, "${1}" + evil + "$2"},
	{`(?m)^(chksum_offload +)\S+( )`, "${1}" + evil + "$2"},
	{`(?m)^(Device Type: .*)$`, "$1" + evil},
	{`(?m)^(ent\d Available +.*)$`, "$1" + evil},
	{`(?m)^(.*Hardware Location Code.*)$`, "$1" + evil},
	{`(?m)^( *tcp_sendspace = .*)$`, "$1" + evil},
}

const errorLog = "IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION\nA6DF45AA   1122010126 P H ent0" + evil +
	" ETHERNET DOWN " + evil + "\n"

func plant(line, out string) string {
	for _, p := range planted {
		out = regexp.MustCompile(p.find).ReplaceAllString(out, p.put)
	}
	switch {
	case strings.HasPrefix(line, "errpt"):
		return errorLog
	case line == "oslevel -s", strings.HasSuffix(line, "ioslevel"):
		return strings.TrimSuffix(out, "\n") + evil + "\n"
	}
	return out
}

// dangerous finds in a text what evil has and no output may have.
func dangerous(text []byte) string {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 || r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return string(text[max(0, i-60):min(len(text), i+60)])
		}
		i += n
	}
	if i := bytes.Index(text, []byte("<script>alert")); i >= 0 && bytes.Contains(text, []byte("<html")) {
		return string(text[max(0, i-60):i])
	}
	return ""
}

// hostile runs commands on hosts that print what they should not.
type hostile struct {
	t   *testing.T
	dir string
	ran map[string]bool // subcommands, by their words

	spread int // how often a part of evil that is harmless was printed
}

func (h *hostile) run(args ...string) (stdout []byte) {
	h.t.Helper()
	var out, errs bytes.Buffer
	exit := cli.Main(context.Background(), args, strings.NewReader(""), &out, &errs)
	for _, text := range [][]byte{out.Bytes(), errs.Bytes()} {
		if bad := dangerous(text); bad != "" {
			h.t.Errorf("seaworthy %q (exit status %d) prints %q", args, exit, bad)
		}
	}
	if !slices.Contains(args, "--help") {
		for i := range args {
			h.ran[strings.Join(args[:i+1], " ")] = true
		}
	}
	h.spread += bytes.Count(out.Bytes(), []byte("alert(1)"))
	return out.Bytes()
}

var formatsOf = regexp.MustCompile(`-f, --format format output format: (.*?) \(default`)

// inEach runs a command once in each of its formats.
func (h *hostile) inEach(args ...string) {
	h.t.Helper()
	help := h.run(append(slices.Clone(args), "--help")...)
	m := formatsOf.FindSubmatch(bytes.Join(bytes.Fields(help), []byte(" ")))
	if m == nil {
		h.t.Fatalf("%q: its help names no formats", args)
	}
	formats := strings.Split(strings.ReplaceAll(string(m[1]), " or ", ", "), ", ")
	for _, f := range draw.OneIn(h.t, min(6, len(formats)), formats) {
		picture := slices.Contains([]string{"svg", "dot", "mermaid", "drawio"}, f) // not of every result
		if out := h.run(append(slices.Clone(args), "-f", f)...); len(out) == 0 && !(picture && args[1] != "path") {
			h.t.Errorf("%q -f %s: prints nothing, which shows nothing", args, f)
		}
	}
}

// files checks what commands have written, but the outputs of hosts, which are kept as
// they are.
func (h *hostile) files() {
	h.t.Helper()
	seen := 0
	err := filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		if bad := dangerous(text); bad != "" {
			h.t.Errorf("%s holds %q", path, bad)
		}
		return nil
	})
	if err != nil || seen == 0 {
		h.t.Errorf("%d files were checked, %v", seen, err)
	}
}

// Whatever hosts print, file names say or files hold, no subcommand passes on what
// controls a terminal or a browser, in no format.
func TestHostileOutputs(t *testing.T) {
	work := t.TempDir()
	t.Setenv("HOME", work)
	t.Setenv("XDG_STATE_HOME", filepath.Join(work, "state"))
	handlers := map[string]remotetest.Handler{}
	for login, f := range fakeFleet(t) {
		for line, a := range f.Answers {
			a.Stdout = plant(line, a.Stdout)
			f.Answers[line] = a
		}
		handlers[login] = f.serve
	}
	live := remotetest.Start(t, handlers)
	at := func(name string) string { return filepath.Join(work, name) }
	h := &hostile{t: t, dir: at("written"), ran: map[string]bool{}}
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}

	hosts := []string{"lpar1", "vios1", "lpar2", "vios2"}
	h.run(append([]string{"collect", "-F", live.Config, "-o", at("today"), "--no-ping"}, hosts...)...)
	for _, host := range hosts { // the name that a manifest gives is the host's, too
		file := filepath.Join(at("today"), host, "manifest.json")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte(`"why": "`), []byte(`"why": "\u001b[2J\u009b\u202e`))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	site := "schema: seaworthy.site/1\nwanted: [{name: largesend, reason: x, of: {kind: interface}, values: {mtu_bypass: \"on\"}}]\n"
	if err := os.WriteFile(at("site.yaml"), []byte(site), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{at("today"), at("named")} {
		names := hosts[:1]
		if dir == at("named") {
			if err := os.CopyFS(dir, os.DirFS(at("today"))); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, "lpar1", "manifest.json")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.Replace(text, []byte(`"host": "lpar1"`), []byte(`"host": "lpar1\u001b[2J\u009b\u202e<script>alert(1)</script>"`), 1)
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			names = []string{"lpar1\x1b[2J\u009b\u202e<script>alert(1)</script>"}
		}
		h.inEach("audit", dir)
		h.run("audit", dir, "--all", "-v")
		h.inEach("show", "host", dir)
		h.inEach("show", "tree", dir)
		h.inEach("show", "map", dir)
		h.inEach("show", "path", names[0], "lpar2", dir)
		h.inEach("diagnose", names[0], "lpar2", dir)
		h.inEach("predict", dir, "--from", names[0], "--to", "lpar2", "--set", "vios2:ent5:large_receive=no")
		h.inEach("predict", dir, "--since", at("today"), "--from", names[0], "--to", "lpar2", "--streams", "1,8")
		h.inEach("tune", dir, "--from", names[0], "--to", "lpar2", "--design")
		h.inEach("plan", dir)
		h.inEach("diff", dir, at("today"))
		h.inEach("drift", dir, "--site", at("site.yaml"))
		h.run("site", "init", dir)
		h.run("export", "prometheus", dir, "--site", at("site.yaml"))
		h.run("export", "parquet", at("tables"), dir)
		h.run("export", "dashboards", at("dashboards"))
		h.inEach("compare", dir, "--platform", "vios", "-v")
		h.served(dir)
		h.run("plan", dir, "-o", filepath.Join(h.dir, "plan.json"), "--scripts", filepath.Join(h.dir, "scripts"),
			"--ansible", filepath.Join(h.dir, "play.yml"))
		h.run("import", dir, "-o", at("imported"), "--redact", at("key"))
		if err := os.RemoveAll(at("imported")); err != nil {
			t.Fatal(err)
		}
	}
	if h.spread < 15 {
		t.Errorf("what hosts printed came through %d times: the test would prove little", h.spread)
	}
	h.history(at)
	h.live(live.Config, at)
	h.fleet(live.Config, at)
	h.files()
	h.all()
}

// history runs what needs a history: of the hosts as they are, and with a name that is markup.
func (h *hostile) history(at func(string) string) {
	h.t.Helper()
	of := "sqlite:" + at("h.sqlite")
	h.run("history", "add", at("today"), "--history", of)
	h.inEach("history", "add", at("named"), "--history", of)
	h.inEach("history", "ls", "--history", of)
	h.inEach("history", "since", "mtu_bypass", "--history", of)
	for _, args := range [][]string{
		{"results"}, {"at", "now", "lpar1", "-v"}, {"diff", "9000d", "now", "-v"}, {"where", `el.kind == "sea"`}, {"similar", "lpar1"},
		{"restore", "lpar1", "-o", at("restored")}, {"prune", "--older", "1h"},
	} {
		h.run(append(append([]string{"history"}, args...), "--history", of)...)
	}
}

// fleet runs a hub and a collector until what an operator asks was asked.
func (h *hostile) fleet(config string, at func(string) string) {
	h.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var over sync.WaitGroup
	defer over.Wait()
	defer stop()
	beside := func(args ...string) {
		h.ran["fleet "+args[1]] = true
		over.Go(func() {
			var out, errs bytes.Buffer
			cli.Main(ctx, args, strings.NewReader(""), &out, &errs)
			for _, text := range [][]byte{out.Bytes(), errs.Bytes()} {
				if bad := dangerous(text); bad != "" {
					h.t.Errorf("seaworthy %q prints %q", args, bad)
				}
			}
		})
	}
	state, token := at("hub"), at("zone.token")
	hub := func(args ...string) []string { return append(append([]string{"fleet"}, args...), "--state", state) }
	beside("fleet", "serve", "--state", state, "--listen", "127.0.0.1:0", "--pages", "none", "--history", "sqlite:"+at("fleet.sqlite"))
	await.Until(h.t, "the hub answers", func() bool { return bytes.Contains(h.run(hub("zones")...), []byte("No zones")) })
	h.run(hub("token", "dmz", "-o", token)...)
	beside("fleet", "join", "lpar1", "vios1", "nosuch"+evil, "--token", token, "--spool", at("spool"), "-F", config)
	await.Until(h.t, "the hub knows the hosts", func() bool { return bytes.Contains(h.run(hub("zones")...), []byte("dmz       3")) })
	h.run(hub("sweep", "--wait")...)
	h.inEach(hub("status", "latest")...)
	h.inEach(hub("zones")...)
	h.inEach(hub("schedule", "put", "x", "@daily", evil)...)
	h.inEach(hub("schedule", "ls")...)
	for _, args := range [][]string{{"schedule", "rm", "x"}, {"cancel", "latest"}, {"status"}, {"remove", "dmz"}} {
		h.run(hub(args...)...)
	}
}

// live runs what needs hosts, or a file that somebody hands over.
func (h *hostile) live(config string, at func(string) string) {
	h.t.Helper()
	on := func(args ...string) []string { return append(args, "-F", config) }
	result := bytes.ReplaceAll([]byte(hostileResult), []byte("EVIL"), []byte(`\u001b[2J\u009b\u202e<script>alert(1)</script>`))
	for name, text := range map[string][]byte{
		"hosts.yaml": []byte("hosts:\n  \"lpar\\e[2J\\u009b\\u202e\": {platform: \"\\e[2J\"}\n"), "result.json": result,
		"bad\x1b[2J\u202e.txt": []byte("$ oslevel -s\n" + evil + "\n$ errpt\n" + errorLog),
	} {
		if err := os.WriteFile(at(name), text, 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	plan := filepath.Join(h.dir, "plan.json")
	h.run(on("top", "lpar1", "vios1", "--once", "--every", "500ms")...)
	h.run(on("audit", "lpar1", "vios1", "--no-ping")...)
	h.run(on("defects", "check", "lpar1", "vios1")...)
	h.run(on("apply", plan, "--yes")...)
	h.inEach("status")
	h.run("status", "latest")
	h.run(on("status", "--host", "lpar1,vios1")...)
	h.run(on("confirm", "latest")...)
	h.run(on("rollback", "latest")...)
	h.run(on("cleanup", "lpar1", "vios1")...)
	h.run(on("doctor", "lpar1", "vios1", "--share", filepath.Join(h.dir, "doctor.json"))...)
	h.run(on("probe", "mtu", "lpar1", "lpar2")...)
	h.run(on("bench", "run", "--from", "lpar1", "--to", "lpar2", "-o", filepath.Join(h.dir, "bench.json"))...)
	h.run(on("bench", "compare", "--plan", plan, "--from", "lpar1", "--to", "lpar2")...)
	h.run(on("bench", "matrix", "--from", "lpar1", "--to", "lpar2", "--set", "lpar1:en0:mtu_bypass="+evil)...)
	h.run(on("bench", "mesh", "lpar1", "lpar2")...)
	h.run("inventory", "-i", at("hosts.yaml"))
	h.inEach("report", at("result.json"))
	h.inEach("predict", at("today"), "--from", "lpar1", "--to", "lpar2", "--results", at("result.json"))
	h.run("import", at("bad\x1b[2J\u202e.txt"), "-o", at("texts"))
	h.run("support-bundle", "-o", at("bundle.tgz"))
	h.run("attributes", "show", evil)
	h.run("rules", "show", evil)
	h.run("defects", "show", evil)
}

// without are subcommands that print nothing of hosts.
var without = []string{"completion", "demo", "help", "lab", "man", "rehearse", "tour", "version", "attributes ls", "defects ls", "rules facts", "rules ls", "rules test", "status prune"}

var available = regexp.MustCompile(`(?m)^  ([a-z-]+) +\S`)

// all makes sure that every subcommand was run.
func (h *hostile) all(words ...string) {
	help := string(h.run(append(slices.Clone(words), "--help")...))
	_, list, found := strings.Cut(help, "Available Commands:\n")
	if name := strings.Join(words, " "); !found && !h.ran[name] {
		h.t.Errorf("seaworthy %s was not run: what does it print of hosts?", name)
	}
	list, _, _ = strings.Cut(list, "\n\n")
	for _, m := range available.FindAllStringSubmatch(list, -1) {
		sub := append(slices.Clone(words), m[1])
		if !slices.Contains(without, strings.Join(sub, " ")) {
			h.all(sub...)
		}
	}
}

const hostileResult = `{"schema": "seaworthy.result/1", "mode": "run", "name": "EVIL", "started": "2026-05-01T07:00:00Z",
 "options": {"from": "lpar1EVIL", "to": "lpar2EVIL", "driver": "builtin", "target": "EVIL", "seed": 1,
  "workloads": [{"name": "EVIL", "kind": "stream", "streams": 1, "seconds": 10, "warmup": 1}]},
 "hosts": [{"name": "lpar1EVIL", "role": "from", "meter": "EVIL"}],
 "figures": [{"workload": "EVIL", "figure": "bps", "n": 3, "median": 5e9, "low": 4.9e9, "high": 5.1e9, "samples": [4.95e9, 5e9, 5.05e9]}],
 "trials": []}`
