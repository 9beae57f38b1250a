package main

import (
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/cli"
	status "seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/shown"
)

// elsewhere are lines that no lab of this machine can stand in for, and why. Each is still held against the programs by
// TestShownCommandLines.
var elsewhere = []struct{ line, why string }{
	{`^seaworthy lab guest`, "needs images of guests and QEMU: make test-guests"},
	{`^seaworthy lab (up bond|exec lacp1)`, "needs the kernel's bonding driver: lab/cli, script bond"},
	{`postgres://`, "needs a PostgreSQL server: internal/history"},
	{`--tls-cert`, "listens on all addresses of the machine: internal/ui/web/guard"},
	{`^seaworthy lab replay (all|E002|--show)`, "takes hours: lab/replay"},
	{`^seaworthy tune .*(--resume|--space)`, "goes on with a study of another day, on other hosts: lab/chaos, internal/tune"},
	{`--remote-write`, "needs a database of metrics: internal/cli, scripts of export"},
	{`--lpars 200`, "starts 200 partitions: lab/assemble"},
	{`^seaworthy demo$`, "lab/cli, script demo"},
	{`--defects newer\.yaml|--rules site-rules`, "files that the reader writes: internal/cli, scripts defects and catalog"},
}

// instead are what a line says of the reader's own site, and what this test has for it.
var instead = strings.NewReplacer(" RUN", " latest", "/etc/ansible/hosts", "ansible-hosts", "curl -fsS http://app1/health", "true",
	"@/etc/seaworthy/receiver", "@receiver", "/usr/local/bin/page --team network", "cat",
	"unix:/run/user/1000/sw", "unix:$XDG_RUNTIME_DIR/sw", "/var/lib/node_exporter/", "", "$(date +%F-%H%M)", "$(date +%F-%H%M%S-%N)", "--lab demo", "--lab documented", "lab:dual-vios", "lab:documented", "21SEA01", "21SEA02")

var (
	// also are lines beside those of seaworthy that a page depends on.
	also = regexp.MustCompile(`(?m)^    ((?:ssh-keygen -Y sign|ssh -F \$\(seaworthy) .*)$`)
	// placeholder stands for a word of the reader's.
	placeholder = regexp.MustCompile(`(^| )(FILE|DIR|HOST|NAME|URL|A B|DEFECT|RULE|PLAN|FROM TO|TOPOLOGY)\b`)
	// onLab is a line that wants a lab of the page's own.
	onLab = regexp.MustCompile(`-i lab|^seaworthy lab (exec|shell|break|mend|cpu|prove|ssh-config)|ssh-config|--lab |lab down$`)
	// applied is the plan of a line that applies one as it was saved.
	applied = regexp.MustCompile(`^seaworthy apply (plan\.json|reordered\.json)\b`)
	// mending is a line that mends one node, which is broken then.
	mending = regexp.MustCompile(`^seaworthy lab mend ([a-z]+\d\w*)$`)
	// written is what a line writes, and does not write over.
	written = regexp.MustCompile(`^seaworthy (?:collect|import|site init)\b[^$]* -o (\S+)|^seaworthy top .*--record (\S+)`)
	alike   = regexp.MustCompile(`^(rules/R|attributes/[a-z])`)
)

// A line is typed if it is whole: not a synopsis, nor the name of a command within a sentence or before its explanation.
func typed(l shown.Line) bool {
	return !printed(l) && !strings.Contains(l.Shell, "[flags]") && !strings.Contains(l.Shell, "   ") && !placeholder.MatchString(l.Shell) && (!l.Inline || len(l.Args) > 2)
}

func leftOut(l shown.Line) bool {
	return slices.ContainsFunc(elsewhere, func(e struct{ line, why string }) bool { return regexp.MustCompile(e.line).MatchString(l.Shell) })
}

// showing are the pages of the site and of the repository with command lines, and what each shows.
func showing(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	lines, err := shown.Repository("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		text, err := os.ReadFile(filepath.Join("../../..", l.File))
		if err != nil {
			t.Fatal(err)
		}
		all[l.File] = string(text)
	}
	made, err := generated()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range made {
		if path.Ext(name) == ".md" && !alike.MatchString(name) {
			all[name] = string(text)
		}
	}
	maps.DeleteFunc(all, func(name, text string) bool { return !slices.ContainsFunc(shown.Text(name, text), typed) })
	return all
}

// Every command line of the documentation, of the site and of the programs' help does something on hosts of a lab: in the order of
// its page, typed as it stands there by a reader whose ssh reaches hosts of those names.
func TestShownPages(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("it takes an hour: go test -v -run TestShownPages/PAGE")
	}
	all := showing(t)
	names := slices.Sorted(maps.Keys(all))
	bin := built(t)
	from := saved(t, bin)
	t.Run("rules and attributes", func(t *testing.T) { entries(t, filepath.Join(from, "today")) })
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a reader waits more than the machine computes
			r := newReader(t, bin)
			r.furnish(from)
			r.reads(name, all[name])
			r.takeDown()
		})
	}
}

// entries asks what the pages of rules and attributes show, of the hosts in a folder.
func entries(t *testing.T, today string) {
	t.Helper()
	made, err := generated()
	if err != nil {
		t.Fatal(err)
	}
	var lines []shown.Line
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if alike.MatchString(name) && path.Ext(name) == ".md" {
			lines = append(lines, shown.Text(name, string(made[name]))...)
		}
	}
	if len(lines) < 900 {
		t.Errorf("got %d command lines, want two for each rule and attribute", len(lines))
	}
	for _, l := range draw.OneIn(t, 25, lines) {
		args := slices.Clone(l.Args)
		if i := slices.Index(args, "today"); i >= 0 {
			args[i] = today
		}
		var stdout, stderr bytes.Buffer
		exit := cli.Main(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		if exit == status.ExitFailed || exit == status.ExitUsage || stdout.Len() == 0 {
			t.Errorf("%s:%d: %s: exit status %d\n%s%s", l.File, l.Number, l.Shell, exit, stdout.String(), stderr.String())
		}
	}
}

// reads types the lines of a page. A lab belongs to its section.
func (r *reader) reads(name, text string) {
	r.t.Helper()
	lines := slices.DeleteFunc(shown.Text(name, text), func(l shown.Line) bool { return !typed(l) || leftOut(l) })
	lines = slices.CompactFunc(lines, func(a, b shown.Line) bool { return a.Number == b.Number && a.Shell == b.Shell })
	lines = append(lines, others(name, text)...)
	slices.SortStableFunc(lines, func(a, b shown.Line) int { return a.Number - b.Number })
	if strings.Contains(text, "history ") {
		r.run("seaworthy history add earlier")
	}
	if run, apply := first(lines, ofRuns), first(lines, []string{"apply"}); run < apply {
		r.expect("{ seaworthy plan lpar3 --set lpar3:en0:mtu_bypass=on -o run.json || test $? = 2; } && seaworthy apply run.json --yes")
	}
	section := 0
	for i, l := range lines {
		if now := sectionOf(text, l.Number); now != section {
			section = now
			r.takeDown()
		}
		line := instead.Replace(l.Shell)
		r.prepares(line)
		r.restores(line)
		later := slices.ContainsFunc(lines[i+1:], func(m shown.Line) bool { return m.Args[0] == "confirm" })
		r.types(l, line, later)
		switch l.Args[0] {
		case "confirm":
			r.confirmed()
		case "import":
			r.copies("today") // the next line is about the hosts again
		}
	}
	if r.pending != nil {
		r.t.Errorf("%s: %s is not confirmed", name, r.pending.line)
	}
}

// ofRuns are the commands about a run that was applied before.
var ofRuns = []string{"status", "rollback", "confirm"}

// first is the place of the first line of one of these commands; behind the last where there is none.
func first(lines []shown.Line, commands []string) int {
	i := slices.IndexFunc(lines, func(l shown.Line) bool { return slices.Contains(commands, l.Args[0]) })
	if i < 0 {
		return len(lines)
	}
	return i
}

// others are the lines of other programs that a page depends on.
func others(name, text string) []shown.Line {
	var all []shown.Line
	for _, at := range also.FindAllStringSubmatchIndex(text, -1) {
		number := strings.Count(text[:at[0]], "\n") + 1
		line := text[at[2]:at[3]]
		all = append(all, shown.Line{File: name, Number: number, Shell: line, Args: strings.Fields(line)})
	}
	return all
}

// sectionOf is the number of the section that a line stands in.
func sectionOf(text string, number int) int {
	section := 0
	for i, line := range strings.Split(text, "\n") {
		if i < number && strings.HasPrefix(line, "#") {
			section = i
		}
	}
	return section
}

// asides are lines that a page shows beside its story: its plan was not applied yet.
var asides = regexp.MustCompile(`^seaworthy bench compare .*--plan plan\.json`)

// restores takes back what lines before this one did, where it does not follow from them.
func (r *reader) restores(line string) {
	r.t.Helper()
	if asides.MatchString(line) {
		r.run("seaworthy rollback latest")
		r.copies("plan.json")
	}
	if m := applied.FindStringSubmatch(line); m != nil {
		if r.applied[m[1]] { // another way to apply the same plan
			r.run("seaworthy rollback latest")
		}
		r.applied[m[1]] = true
	}
	if m := written.FindStringSubmatch(line); m != nil && !strings.Contains(line, "--list") {
		err := os.RemoveAll(filepath.Join(r.dir, m[1]+m[2])) // a reader names what is not there yet
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// prepares starts a lab where a line wants one, and ends those whose place a new one takes.
func (r *reader) prepares(line string) {
	r.t.Helper()
	switch {
	case strings.Contains(line, "lab up"):
		r.takeDown()
	case onLab.MatchString(line) && len(r.running()) == 0:
		topology, err := filepath.Abs("testdata/hosts.yaml")
		if err != nil {
			r.t.Fatal(err)
		}
		out, errs, exit := r.run("seaworthy-lab --quiet lab up " + topology)
		if exit != 0 {
			r.t.Fatalf("lab up: exit status %d\n%s%s", exit, out, errs)
		}
	}
	if m := mending.FindStringSubmatch(line); m != nil {
		r.run("seaworthy lab break " + m[1] + " crash") // refused where the page broke it before
	}
}
