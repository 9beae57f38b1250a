package sshhost

import (
	"os"
	"path/filepath"
	"testing"

	"seaworthy/internal/remote/sshconfig"
)

// The known_hosts files are parsed once for all hosts of a run, and again when one has
// changed: thousands of hosts have thousands of lines.
func TestKnownHostsAreReadOnce(t *testing.T) {
	const key = " ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk9zHWZOYSoPNfVqBEbDEXX0Nt/Qp3IS2eNiZr0SS4h\n"
	file := filepath.Join(t.TempDir(), "known_hosts")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var cache knownCache
	files := func(alias string) *knownFiles {
		t.Helper()
		k, err := cache.files(&sshconfig.Settings{Alias: alias, HostName: alias, UserKnown: []string{file}})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	write("lpar1" + key)
	first := files("lpar1")
	if files("lpar2") != first {
		t.Error("the files were parsed again for a second host")
	}
	if first.db != first.plain {
		t.Error("the files were parsed twice without an authority in them")
	}
	if got := first.db.HostKeyAlgorithms("lpar2:22"); len(got) > 0 {
		t.Errorf("lpar2 is known: %v", got)
	}
	write("lpar2" + key) // as long as before
	if got := files("lpar2").db.HostKeyAlgorithms("lpar2:22"); len(got) == 0 {
		t.Error("a change of the file was not seen")
	}
	write("@cert-authority lpar2" + key)
	if k := files("lpar2"); k.db == k.plain {
		t.Error("an authority is among the keys of hosts")
	}
}
