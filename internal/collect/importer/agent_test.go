package importer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/collect/importer"
)

// What other commands answered is kept for what it is, beside an output that is
// known; alone it is nothing.
func TestOtherCommands(t *testing.T) {
	counters := "ETHERNET STATISTICS (en0) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\nHardware Address: fa:b2:32:5c:a2:0b\n" +
		"\nTransmit Statistics:                          Receive Statistics:\n" +
		"--------------------                          -------------------\nPackets: 1                                    Packets: 2\n"
	for name, c := range map[string]struct {
		text                      string
		kind                      string
		understood, kept, unknown int
	}{
		"session": {"root@lpar1:/ # oslevel -s\n7200-05-06-2320\nroot@lpar1:/ # lspv\nhdisk0 00f6 rootvg active\nroot@lpar1:/ # date\nnow\n",
			"terminal session", 1, 2, 0},
		"agent":         {"<<<aix_if>>>\n[en0]\n" + counters + "<<<df>>>\n/dev/hd4 jfs2 1000 100 900 10% /\n", "sections of a monitoring agent", 7, 1, 0},
		"alone":         {"root@lpar1:/ # lsfoo\nhdisk0 00f6 rootvg active\n", importer.Unrecognised, 0, 0, 1},
		"alone, kept":   {"root@lpar1:/ # lspv\nhdisk0 00f6 rootvg active\n", "terminal session", 0, 1, 0},
		"without heads": {"<<<aix_if>>>\n[en0]\n" + counters[strings.Index(counters, "Hardware"):], "sections of a monitoring agent", 6, 0, 0},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "saved.txt"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, _ := imported(t, importer.Options{Host: "lpar1"}, dir)
		f := r.Files[0]
		if f.Kind != c.kind || f.Understood != c.understood || f.Kept != c.kept || f.Unknown != c.unknown {
			t.Errorf("%s: got %s with %d lines understood, %d kept, %d not understood; want %s, %d, %d, %d", name,
				f.Kind, f.Understood, f.Kept, f.Unknown, c.kind, c.understood, c.kept, c.unknown)
		}
	}
}
