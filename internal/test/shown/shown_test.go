package shown

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	const page = "Run `seaworthy audit today` or `make`.\n\n" +
		"    seaworthy lab exec lpar1 -- 'a; b | c'   # a comment with 'quotes\n" +
		"    seaworthy import a.log -o today && seaworthy audit today > x.txt\n" +
		"    seaworthy top  7 hosts 2> errors\n\n" +
		"```console\n$ seaworthy collect -o $(date +%F -u) | seaworthy show \"a b\"\n```\n" +
		"seaworthy audit is not code here\n"
	want := []Line{
		{"p.md", 1, "seaworthy audit today", []string{"audit", "today"}, true},
		{"p.md", 3, "seaworthy lab exec lpar1 -- 'a; b | c'", []string{"lab", "exec", "lpar1", "--", "a; b | c"}, false},
		{"p.md", 4, "seaworthy import a.log -o today && seaworthy audit today > x.txt", []string{"import", "a.log", "-o", "today"}, false},
		{"p.md", 4, "seaworthy import a.log -o today && seaworthy audit today > x.txt", []string{"audit", "today"}, false},
		{"p.md", 5, "seaworthy top  7 hosts 2> errors", []string{"top", "7", "hosts"}, false},
		{"p.md", 8, `seaworthy collect -o $(date +%F -u) | seaworthy show "a b"`, []string{"collect", "-o", "$(date +%F -u)"}, false},
		{"p.md", 8, `seaworthy collect -o $(date +%F -u) | seaworthy show "a b"`, []string{"show", "a b"}, false},
	}
	if d := cmp.Diff(want, Text("p.md", page)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
