package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/cli"
	status "seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/script"
	"seaworthy/internal/test/shown"
)

// fromFolders are the subcommands that the documentation shows with folders, and that then need no host.
var fromFolders = []string{"attributes", "audit", "defects", "diagnose", "diff", "plan", "predict", "rules", "show"}

// folders are those that the documentation calls by these names, with their age.
var folders = map[string]time.Duration{"today": 0, "yesterday": 24 * time.Hour, "monday": 48 * time.Hour, "tuesday": 24 * time.Hour}

// notSaved are hosts, files and rules of the site that the folders of this test do not have.
var notSaved = regexp.MustCompile(`lpar3|vios1:ent5|server1|app1|site-rules|site\.yaml|snapshots|results|plan\.json|copy|hosts\.yaml|NAME`)

// What the documentation shows about saved hosts does something: it neither fails nor is wrong to ask.
func TestShownCommandsOnFolders(t *testing.T) {
	lines, err := shown.Repository("../..")
	if err != nil {
		t.Fatal(err)
	}
	snapshot := saved(t)
	dir := t.TempDir()
	for name, age := range folders {
		err := os.CopyFS(filepath.Join(dir, name), os.DirFS(snapshot))
		if err == nil {
			err = script.MakeEarlier(filepath.Join(dir, name), age)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	accepted := `waivers: [{rule: R040, at: "vios1:ent*", reason: the switch cannot do 802.3x, until: 2099-03-31, owner: network team}]`
	err = os.WriteFile(filepath.Join(dir, "waivers.yaml"), []byte(accepted), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	lines = slices.DeleteFunc(lines, func(l shown.Line) bool { return !needsNoHost(l) })
	lines = slices.CompactFunc(lines, func(a, b shown.Line) bool { return slices.Equal(a.Args, b.Args) })
	if len(lines) < 25 {
		t.Errorf("got %d command lines, want those of README and docs", len(lines))
	}
	for _, l := range draw.OneIn(t, 8, lines) {
		var stdout, stderr bytes.Buffer
		exit := cli.Main(t.Context(), l.Args, strings.NewReader(""), &stdout, &stderr)
		if exit == status.ExitFailed || exit == status.ExitUsage || stdout.Len() == 0 {
			t.Errorf("%s:%d: seaworthy %s: exit status %d\n%s%s", l.File, l.Number, strings.Join(l.Args, " "), exit, stdout.String(), stderr.String())
		}
	}
}

func isFolder(arg string) bool {
	_, ok := folders[arg]
	return ok
}

// needsNoHost says whether a command line is answered from the folders of this test or from the program alone.
func needsNoHost(l shown.Line) bool {
	if l.Inline && len(l.Args) < 3 || !slices.Contains(fromFolders, l.Args[0]) || notSaved.MatchString(strings.Join(l.Args, " ")) {
		return false
	}
	if slices.Contains(l.Args, "--schema") {
		return true
	}
	if slices.ContainsFunc(l.Args, func(a string) bool { return a == "-i" || strings.ContainsAny(a, "…$") }) {
		return false
	}
	onFolder := slices.ContainsFunc(l.Args, isFolder)
	alone := slices.Contains([]string{"attributes", "defects", "rules"}, l.Args[0]) && len(l.Args) > 1 && l.Args[1] != "check" && len(l.Args) < 4
	live := slices.ContainsFunc(l.Args[1:], func(a string) bool { return strings.HasPrefix(a, "vios") }) ||
		l.Args[0] == "diff" && slices.Contains(l.Args, "lpar1") || l.Args[0] == "audit" && slices.Contains(l.Args, "lpar1")
	return (onFolder || alone) && !live
}
