package traffic

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		`put "| dd if=/dev/zero bs=1 count=2" /dev/null`: {"put", "| dd if=/dev/zero bs=1 count=2", "/dev/null"},
		"  open\thost  21 ": {"open", "host", "21"},
		`put 'a b' ""`:      {"put", "a b", ""},
		`a"b c"d`:           {"ab cd"},
		"":                  nil,
	} {
		if got, err := split(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v, want %q", line, got, err, want)
		}
	}
	if _, err := split(`put "a b`); err == nil {
		t.Error("an open quote: got success")
	}
}

func TestParsePort(t *testing.T) {
	if got, err := parsePort("10,1,2,3,19,137"); err != nil || got.String() != "10.1.2.3:5001" {
		t.Errorf("got %v, %v, want 10.1.2.3:5001", got, err)
	}
	for _, bad := range []string{"", "1,2,3,4,5", "1,2,3,4,5,256", "1,2,3,4,-5,6", "a,b,c,d,e,f", "1,2,3,4,5,6,7"} {
		if _, err := parsePort(bad); err == nil {
			t.Errorf("%q: got success", bad)
		}
	}
}

func FuzzFTPWords(f *testing.F) {
	f.Add(`put "| dd" /dev/null`)
	f.Add("10,1,2,3,19,137")
	f.Fuzz(func(t *testing.T, line string) {
		words, err := split(line)
		if n := len(strings.Join(words, "")); err == nil && n > len(line)*3 {
			t.Errorf("%q: got %q", line, words)
		}
		if at, err := parsePort(line); err == nil && !at.Addr().Is4() {
			t.Errorf("%q: got %v", line, at)
		}
	})
}

// A login of .netrc ends where the next host begins, not within a word.
func TestNetrc(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	text := "machine a login root password xmachine\nmachine ab\n\tlogin padmin password y\n"
	if err := os.WriteFile(filepath.Join(home, ".netrc"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string][2]string{"a": {"root", "xmachine"}, "ab": {"padmin", "y"}} {
		if login, password, ok := netrc(host); !ok || login != want[0] || password != want[1] {
			t.Errorf("%s: got %q, %q, %t, want %q", host, login, password, ok, want)
		}
	}
}
