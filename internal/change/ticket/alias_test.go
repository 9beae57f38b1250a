package ticket_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/change/ticket"
)

// aliases are those that ksh88 and ksh93 begin with, and some of a site's.
// A function of such a name is never called: the alias wins.
var aliases = map[string]string{
	"autoload": "typeset -fu", "command": "command ", "fc": "hist", "float": "typeset -E", "functions": "typeset -f",
	"hash": "alias -t", "history": "fc -l", "integer": "typeset -i", "local": "typeset", "nameref": "typeset -n",
	"nohup": "nohup ", "r": "fc -e -", "redirect": "command exec", "source": "command .", "stop": "kill -STOP",
	"suspend": "kill -STOP $$", "times": "{ { time;} 2>&1;}", "type": "whence -v",
	"grep": "false", "awk": "false", "value": "false", "same": "true", "give_up": "true", "cat": "false",
}

func TestKornShellAliases(t *testing.T) {
	var before strings.Builder
	for name, text := range aliases {
		before.WriteString("alias " + name + "='" + text + "'\n")
	}
	function := regexp.MustCompile(`(?m)^([a-z_]\w*)\(\)`)
	dir := t.TempDir()
	if err := ticket.Write(dir, sample(t), ticket.Evidence{}); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.sh"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			if korn := aliases[m[1]]; korn != "" && korn != "true" && korn != "false" {
				t.Errorf("%s: function %s has the name of a Korn shell's alias", f, m[1])
			}
		}
	}
	ran := 0
	for _, shell := range shells(t) {
		if !slices.ContainsFunc([]string{"ksh", "ksh93", "mksh"}, func(s string) bool { return strings.HasSuffix(shell[0], "/"+s) }) {
			continue
		}
		ran++
		for name, want := range map[string]string{
			"implement.sh": "nothing was done", "verify.sh": "NOT as planned", "backout.sh": "NOT undone",
		} {
			b := newBench(t, shell)
			script := filepath.Join(t.TempDir(), "wrapped")
			text, err := os.ReadFile(filepath.Join(dir, "lpar1", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(script, append([]byte(before.String()), text...), 0o600); err != nil {
				t.Fatal(err)
			}
			b.put(map[string]string{"deaf": ""}) // no command changes a value, so every check fails
			out, err := b.run(script)
			if err == nil || !strings.Contains(out, want) || strings.Contains(out, ": done") {
				t.Errorf("%s %s below aliases: got %v, want failure with %q:\n%s", shell[0], name, err, want, out)
			}
			if left, _ := os.ReadDir(b.db); len(left) != 1 {
				t.Errorf("%s %s below aliases: changed %v\n%s", shell[0], name, left, out)
			}
		}
	}
	if ran == 0 {
		t.Skip("no Korn shell on this machine")
	}
}
