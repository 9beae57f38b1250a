package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
)

// What a person says of files wins over all that they say themselves.
func TestMap(t *testing.T) {
	dir := put(t, map[string]string{"one/log.txt": "root@web7:/# uname -a\n" + linuxNode, "one/en0.txt": "# lsattr -El en0\n" + off, "two/addr.txt": address("eth0", "192.0.2.9")})
	file := filepath.Join(t.TempDir(), "map.yaml")
	text := "- {files: " + filepath.ToSlash(dir) + "/one/en*, host: lpar9, platform: aix}\n- {files: '*/two', host: db1}\n- {files: " + filepath.ToSlash(dir) + "/two, host: db2}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := importer.LoadMap(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := imported(t, importer.Options{Map: list}, dir)
	got := map[string]string{}
	for _, h := range r.Hosts {
		got[h.Host] = h.Platform + " " + h.Found
	}
	if len(got) != 3 || got["lpar9"] != "aix --map" || got["db2"] != "linux --map" || !strings.HasPrefix(got["web7"], "linux ") {
		t.Errorf("got %v, want lpar9 of AIX and db2 as the map says, web7 as found", got)
	}
	for wrong, want := range map[string]string{"- {files: x}\n": "files and host", "- {files: '[', host: a}\n": "pattern", "- {files: x, host: localhost}\n": "means the machine",
		"- {files: x, host: a, platform: hpux}\n": "give one of", "- {file: x, host: a}\n": "file"} {
		if err := os.WriteFile(file, []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := importer.LoadMap(t.Context(), file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q in it", wrong, err, want)
		}
	}
}
