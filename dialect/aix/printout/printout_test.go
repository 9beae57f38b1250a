package printout

import (
	"strings"
	"testing"

	"seaworthy/dialect"
)

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"device unknown, continued", "lsattr: 0514-519 The following device was not found\n\tin the customized device configuration database:\n\tent99\nmtu 1500", 3},
		{"method error", "Method error (/usr/lib/methods/chgent):\n        0514-062 Cannot perform\n                 busy.\n", 1},
		{"bare number with blanks", "        0514-062 Cannot perform\n                 busy.", 2},
		{"old shell", "ksh: entstat:  not found.", 1},
		{"numbered shell line", "rksh[3]: lsattr: not found", 1},
		{"bash", "bash: line 1: lsmap: command not found", 1},
		{"data row", "mtu           1500          Maximum IP Packet Size for This Device     True", 0},
		{"speech about 0514", "see 0514-519", 0},
		{"location code", "ent0 Available 00-08 text", 0},
	} {
		if got := Message(strings.Split(c.text, "\n"), 0); got != c.want {
			t.Errorf("%s: got %d lines, want %d", c.name, got, c.want)
		}
	}
}

func TestPaintComesBack(t *testing.T) {
	line := "\x1b[1;31mmtu_bypass\x1b[0m on\x1b[K"
	plain, p := Plain(line)
	if plain != "mtu_bypass on" {
		t.Fatalf("plain: got %q", plain)
	}
	if got := p.On(plain); got != line {
		t.Errorf("painted: got %q, want %q", got, line)
	}
	if got := p.On("mtu"); !strings.Contains(got, "mtu") {
		t.Errorf("a shorter line lost its text: %q", got)
	}
}

func TestLayoutFollowsRows(t *testing.T) {
	l := NewLayout(dialect.Split([]byte("head\na\nb\n\nfoot\n")))
	l.Keep("head")
	l.Row()
	l.Row()
	l.Keep("")
	l.Keep("foot")
	row := func(i int) string { return string(rune('a' + i)) }
	for n, want := range []string{"head\n\nfoot\n", "head\na\n\nfoot\n", "head\na\nb\n\nfoot\n", "head\na\nb\nc\n\nfoot\n"} {
		if got := string(l.Print(n, row)); got != want {
			t.Errorf("%d rows: got %q, want %q", n, got, want)
		}
	}
}
