package collect

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What commands cost is listed by login and without their devices.
func TestListCosts(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a/manifest.json", `{"schema":"seaworthy.snapshot/1","host":"a","platform":"aix","user":"root","commands":[
		{"id":"entstat-d","element":"ent0","line":"entstat -d ent0","duration_ms":10},
		{"id":"entstat-d","element":"ent1","line":"entstat -d ent1","duration_ms":90000,"exit":-1,"error":"time limit reached"},
		{"id":"entstat-d","element":"ent2","line":"entstat -d ent2","duration_ms":30}]}`)
	put(t, dir, "b/manifest.json", `{"schema":"seaworthy.snapshot/1","host":"b","platform":"vios","user":"padmin","commands":[
		{"id":"entstat-d","element":"ent0","line":"entstat -d ent0","via":"oem_setup_env","duration_ms":200},
		{"id":"entstat-d","element":"ent0","line":"ioscli entstat -all ent0","duration_ms":700}]}`)
	list, err := ListCosts(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Cost{}
	for _, l := range list {
		if l.Cost != nil {
			got[l.Login+": "+l.Command] = *l.Cost
		}
	}
	want := map[string]Cost{"aix: entstat -d {}": {2, 30, 30}, "vios: entstat -d {}": {1, 200, 200}, "padmin: ioscli entstat -all {}": {1, 700, 700}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if slices.ContainsFunc(List(), func(l Listed) bool { return l.Cost != nil }) {
		t.Error("without a folder there are costs")
	}
}

// A VIOS is read as padmin alone where a shell of root is forbidden, and says so.
func TestNoRootShell(t *testing.T) {
	m, lines, f := take(t, "padmin", padmin(true).Serve, Options{NoRootShell: true})
	if got, want := asked(lines, "ioscli entstat"), []string{"ioscli entstat -all ent4", "ioscli entstat -all ent7"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if why := NotRoot(m.Gaps); !strings.Contains(why, "--no-root-shell") {
		t.Errorf("got %q, want it to say why", why)
	}
	// What it says is lost is asked as root alone.
	for _, command := range regexp.MustCompile(`\(([^)]*)\)`).FindAllStringSubmatch(padminAlone, -1) {
		asked := func(login string) bool {
			return slices.ContainsFunc(List(), func(l Listed) bool {
				return l.Login == login && strings.HasPrefix(strings.TrimPrefix(l.Command, "ioscli ")+" ", command[1]+" ")
			})
		}
		if !asked("vios") || asked("padmin") {
			t.Errorf("%s: asked as root %v, as padmin %v, want it as root alone", command[1], asked("vios"), asked("padmin"))
		}
	}
	for _, line := range f.Server("host").Lines() {
		if strings.Contains(line, "oem_setup_env") {
			t.Errorf("asked for a shell of root: %q", line)
		}
	}
}
