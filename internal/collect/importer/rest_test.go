package importer_test

import (
	"testing"

	"seaworthy/internal/collect/importer"
)

// Commands whose outputs are kept and not read say which system has them, as far as the shell found them.
func TestSystemOfPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"root@lpar7:/# errpt -a\nwhat nobody knows\n":                                                      "aix",
		"root@lpar7:/# lsvg -l rootvg\nrootvg:\nhd5 boot 1 1 1\nroot@lpar7:/# oslevel -q\nthe levels\n":    "aix",
		"root@web7:~# lsvg\nbash: lsvg: command not found\nroot@web7:~# ip route\n192.0.2.0/24 dev eth0\n": "linux",
		"root@web7:~# frobnicate status\nall is well\nroot@web7:~# ip addr\nwords\n":                       "unknown",
	} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{"a/log.txt": text}))
		if len(r.Hosts) != 1 || r.Hosts[0].Platform != want {
			t.Errorf("%q: got %+v, want one host of platform %s", text, r.Hosts, want)
		}
	}
}

// What no output is recognised in is kept beside one that is: an answer that is not read as its command's, other lines as a note.
// Alone it is not understood, unless a prompt says of which host it is.
func TestRestIsKept(t *testing.T) {
	const unread, words = "Rxxg parametxrs fxr eth0\nPrx-set maxxmums\n", "7f 11 zz\nqq 12 yy\n"
	for name, c := range map[string]struct {
		text string
		want importer.Counts
		kind string
	}{
		"an unread answer": {"root@web7:~# uname -a\n" + linuxNode + "root@web7:~# ethtool -g eth0\n" + unread,
			importer.Counts{Lines: 3, Understood: 1, Kept: 2}, "unread answer"},
		"lines of nobody": {"=== one ===\n" + words + "=== uname -a ===\n" + linuxNode,
			importer.Counts{Lines: 4, Understood: 1, Kept: 3, Notes: 3}, "note"},
		"alone, of a host":  {"root@web7:~# ethtool -g eth0\n" + unread, importer.Counts{Lines: 2, Kept: 2}, "unread answer"},
		"alone, of no host": {"# ethtool -g eth0\n" + unread, importer.Counts{Lines: 2, Unknown: 2}, importer.Unrecognised},
	} {
		r, _ := imported(t, importer.Options{}, put(t, map[string]string{"a/log.txt": c.text}))
		kinds := map[string]bool{}
		for _, f := range r.Files {
			for _, p := range f.Parts {
				kinds[p.Kind] = true
				if p.Kind == c.kind && len(p.Warnings) == 0 {
					t.Errorf("%s: nothing says that %s is kept and not evaluated", name, p.Kind)
				}
			}
		}
		if r.Counts != c.want || !kinds[c.kind] {
			t.Errorf("%s: got %+v of %v, want %+v with %s", name, r.Counts, kinds, c.want, c.kind)
		}
	}
}
