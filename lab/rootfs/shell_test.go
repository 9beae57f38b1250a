package rootfs

import (
	"os"
	"path/filepath"
	"testing"
)

func TestShell(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, mode os.FileMode) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, nil, mode); err != nil {
			t.Fatal(err)
		}
		return p
	}
	text, mksh, bash := file("text", 0o644), file("mksh", 0o755), file("bash", 0o755)
	link := filepath.Join(dir, "ksh")
	if err := os.Symlink(mksh, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		of   []string
		want string
	}{
		{[]string{filepath.Join(dir, "nosuch"), bash}, bash},
		{[]string{text, dir, mksh, bash}, mksh},
		{[]string{link, bash}, link},
		{[]string{text}, "/bin/sh"},
		{nil, "/bin/sh"},
	} {
		if got := shell(c.of); got != c.want {
			t.Errorf("of %q: got %s, want %s", c.of, got, c.want)
		}
	}
}
