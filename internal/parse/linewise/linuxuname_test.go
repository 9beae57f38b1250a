package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
)

const linuxUnameSample = "Linux lpar9 4.18.0-553.el8_10.ppc64le #1 SMP Fri May 24 00:00:00 UTC 2024 ppc64le GNU/Linux\n"

func TestParseLinuxUname(t *testing.T) {
	n, err := ParseLinuxUname([]byte(linuxUnameSample + "\nlogout\n"))
	if err != nil || n.Node != "lpar9" || n.Release != "4.18.0-553.el8_10.ppc64le" || len(n.Unknown) != 1 {
		t.Errorf("got %+v and %v, want lpar9 with its release and one line not understood", n, err)
	}
	for _, text := range []string{"", "Linux\n", "AIX lpar1 2 7 00C8D2E44C00\n"} {
		if _, err := ParseLinuxUname([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %v, want %v", text, err, parse.ErrNotRecognised)
		}
	}
}
