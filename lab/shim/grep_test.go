package shim

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const paragraphsText = `Driver Flags: Up
	Running

Receive Buffers
  Small 512
  
Send Buffers
  small 24
--
Last
`

func TestGrepParagraphs(t *testing.T) {
	grep, err := exec.LookPath("grep")
	if err != nil {
		t.Skip("this machine has no grep")
	}
	file := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(file, []byte(paragraphsText), 0o644); err != nil {
		t.Fatal(err)
	}
	const flags, receive, send = "Driver Flags: Up\n\tRunning\n", "Receive Buffers\n  Small 512\n", "Send Buffers\n  small 24\n--\nLast\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-p", "Running"}, flags},
		{[]string{"-p", "Small"}, receive},
		{[]string{"-ip", "small"}, receive + send},
		{[]string{"-p", "-i", "-e", "SMALL 5"}, receive},
		{[]string{"-Ep", "Up|24"}, flags + send},
		{[]string{"-vp", "Buffers"}, flags},
		{[]string{"-p--", "Last"}, "Last\n"},
		{[]string{"-p", "nothing"}, ""},
		{[]string{"-Fp", "-e", "5.2"}, ""},
		{[]string{"-p", "--", "Last"}, send},
	} {
		p := parseGrep(c.args)
		if p == nil {
			t.Errorf("grep %q: got the machine's, want paragraphs", c.args)
			continue
		}
		p.files = []string{file}
		var out strings.Builder
		found, err := p.run(grep, &out)
		if diff := cmp.Diff(c.want, out.String()); diff != "" || err != nil || found != (c.want != "") {
			t.Errorf("grep %q: got %v, %v, +, want -:\n%s", c.args, found, err, diff)
		}
	}
	if _, err := parseGrep([]string{"-p", "x", "/nonexistent"}).run(grep, nil); err == nil {
		t.Error("a file that is not there: got no error, want one")
	}
}

// What has no -p is the machine's business, errors included.
func TestGrepOfTheMachine(t *testing.T) {
	for _, args := range []string{"", "x", "-i up file", "-c x", "-A 3 -e p f", "--help", "-e", "-o -w p", "-m 1 p", "x -p", "-E a|p",
		"-A3 p", "-cp x"} {
		if p := parseGrep(strings.Fields(args)); p != nil && args != "x -p" {
			t.Errorf("grep %s: got %v, want the machine's", args, p)
		}
	}
}

func FuzzParseGrep(f *testing.F) {
	for _, s := range []string{"-p x", "-ip x f", "-e", "-p-- --", "-vpE a b", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if p := parseGrep(strings.Fields(line)); p != nil && len(p.match) == 0 {
			t.Errorf("grep %s: got paragraphs without an expression", line)
		}
	})
}
