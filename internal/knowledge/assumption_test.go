package knowledge

import (
	"strings"
	"testing"
	"testing/fstest"
)

// The examples of each assumption read as what they are, its source is known,
// and nothing that only our own lab has shown is called proved.
func TestAssumptions(t *testing.T) {
	list, err := Assumptions()
	if err != nil {
		t.Fatal(err)
	}
	cat, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 30 {
		t.Errorf("got %d assumptions, want those of every feature", len(list))
	}
	leaned := map[Feature]int{}
	for _, a := range list {
		if _, ok := cat.Source(a.Source); !ok && a.Source != string(Unproven) {
			t.Errorf("%s: source %q is not in sources.yaml", a.ID, a.Source)
		}
		if a.Source == string(Unproven) && (a.Witness == Page || a.Witness == Kernel) {
			t.Errorf("%s: witness %q without a source", a.ID, a.Witness)
		}
		for _, f := range a.Features {
			leaned[f.Feature]++
		}
		if a.Test == nil {
			continue
		}
		if got := a.Test.Read(a.Examples.Held); got != Held {
			t.Errorf("%s: the example %+v reads as %s, want held", a.ID, a.Examples.Held, got)
		}
		if got := a.Test.Read(a.Examples.Broken); got != Broken {
			t.Errorf("%s: the example %+v reads as %s, want broken", a.ID, a.Examples.Broken, got)
		}
	}
	for _, f := range Features {
		if leaned[f] == 0 {
			t.Errorf("%s leans on nothing", f)
		}
	}
}

// A test changes nothing: no command of it writes, starts or ends anything of
// the host's own.
func TestTrialsAreHarmless(t *testing.T) {
	list, err := Assumptions()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if a.Test == nil {
			continue
		}
		line := strings.NewReplacer(">/dev/null", "", "2>&1", "", "-exec", "").Replace(a.Test.Run)
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" ;|&\n()'\"", r) }) {
			switch word {
			case "chdev", "mkdev", "rmdev", "cp", "tee", "touch", "mkitab:", "telinit", "dd", "no-p", "reboot", "shutdown", "ifconfig":
				t.Errorf("%s: the test runs %s", a.ID, word)
			}
		}
		if strings.Contains(strings.ReplaceAll(line, "2>", ""), ">") {
			t.Errorf("%s: the test writes a file: %s", a.ID, a.Test.Run)
		}
	}
}

func TestAssumptionErrors(t *testing.T) {
	good := "assumptions:\n  - id: a\n    statement: s\n    on: [aix]\n    source: unproven\n    witness: unproven\n" +
		"    test: {run: x, held: {exit: 0}}\n    features: [{name: apply, broken: refuse, why: w}]\n"
	for name, c := range map[string]struct{ text, want string }{
		"good":    {good, ""},
		"field":   {good + "    odd: 1\n", "unknown key \"odd\""},
		"witness": {strings.Replace(good, "witness: unproven", "witness: lab", 1), `unknown witness "lab"`},
		"login":   {strings.Replace(good, "[aix]", "[os2]", 1), `unknown login "os2"`},
		"feature": {strings.Replace(good, "name: apply", "name: fly", 1), `unknown feature "fly"`},
		"way":     {strings.Replace(good, "broken: refuse", "broken: maybe", 1), `refuse or other`},
		"pattern": {strings.Replace(good, "exit: 0", "stdout: '('", 1), "missing closing"},
		"empty":   {strings.Replace(good, "{exit: 0}", "{}", 1), "condition is empty"},
		"twice":   {good + strings.TrimPrefix(good, "assumptions:\n"), "listed twice"},
	} {
		_, err := readAssumptions(fstest.MapFS{"assumptions.yaml": {Data: []byte(c.text)}})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
