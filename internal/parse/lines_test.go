package parse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		messages   int
		open       bool
	}{
		{"data", "a\n\nb\n", []string{"a", "b"}, 0, false},
		{"CRLF and colours", "\x1b[1;31mmtu\x1b[0m on\x1b[K\r\n", []string{"mtu on"}, 0, false},
		{"no line end", "a\nb", []string{"a", "b"}, 0, true},
		{"a device message goes on", "lsattr: 0514-519 The following device was not found\n\tin the database:\n\tent99\nmtu 1500\n", []string{"mtu 1500"}, 1, false},
		{"a method's", "Method error (/usr/lib/methods/chgent):\n        0514-062 Cannot perform\n                 busy.\n", nil, 2, false},
		{"others do not", "0821-514 ioctl (SIOCGIFFLAGS) failed.\n\tinet 192.0.2.3\n", []string{"\tinet 192.0.2.3"}, 1, false},
		{"shells", "ksh: entstat:  not found.\nrksh[3]: lsattr: not found\nbash: line 1: lsmap: command not found\n", nil, 3, false},
		{"Linux", "grep: /sys/class/net/eth0/speed: Invalid argument\nCannot get x\n", []string{"Cannot get x"}, 1, false},
		{"no message", "see 0514-519\nent0 Available 00-08 text not found\n", []string{"see 0514-519", "ent0 Available 00-08 text not found"}, 0, false},
	} {
		var r parse.Report
		var got []string
		for _, l := range parse.Lines([]byte(c.text), &r) {
			got = append(got, l.Text)
			if want := strings.Split(c.text, "\n")[l.Number-1]; !strings.Contains(want, l.Text[:1]) {
				t.Errorf("%s: line %d is %q, not %q", c.name, l.Number, want, l.Text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || r.Messages != c.messages || r.Open != c.open {
			t.Errorf("%s: got %d messages, open %v, want %d, %v; lines (-want +got):\n%s", c.name, r.Messages, r.Open, c.messages, c.open, diff)
		}
	}
}
