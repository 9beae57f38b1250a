package recognise

import (
	"strings"
	"testing"

	"seaworthy/dialect/aix/lsattr"
)

const table = "alias4                           IPv4 Alias including Subnet Mask                 True\n" +
	"max_virtual_queues 8             Maximum number of virtual queues of the adapter  True\n" +
	"media_speed        Auto_Negotiation Requested media speed                         True\n" +
	"mtu                1500          Maximum IP Packet Size for This Device           True\n" +
	"mtu_bypass         off           Enable/Disable largesend for virtual Ethernet    True\n"

// unexpand does what the command of that name does with -a.
func unexpand(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for len(line) > 8 {
			cell := line[:8]
			short := strings.TrimRight(cell, " ")
			if len(cell)-len(short) > 1 {
				cell = short + "\t"
			}
			b.WriteString(cell)
			line = line[8:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// broken is a text as a terminal of a width shows it.
func broken(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		for len(line) > width {
			b.WriteString(line[:width] + "\n")
			line = line[width:]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func TestMended(t *testing.T) {
	want := map[string]string{"alias4": "", "max_virtual_queues": "8", "media_speed": "Auto_Negotiation", "mtu": "1500", "mtu_bypass": "off"}
	for name, text := range map[string]string{
		"as printed": table, "tabs": unexpand(table), "80 columns": broken(table, 80), "70 columns": broken(table, 70), "indented": "    " + strings.ReplaceAll(strings.TrimSuffix(table, "\n"), "\n", "\n    ") + "\n", "tabs of broken lines": unexpand(broken(table, 80)),
	} {
		f, ok := Text([]byte(text), Hint{Command: "lsattr -El en0"})
		if !ok {
			t.Errorf("%s: not recognised", name)
			continue
		}
		if mended := f.Text != nil; mended != (name != "as printed" && name != "indented") || mended && len(f.Report.Warnings) == 0 {
			t.Errorf("%s: mended: got %v with warnings %v", name, mended, f.Report.Warnings)
		}
		read := []byte(text)
		if f.Text != nil {
			read = f.Text
		}
		l, err := lsattr.Parse(read)
		if err != nil {
			t.Fatal(err)
		}
		for attribute, value := range want {
			if got, ok := l.Value(attribute); !ok || got != value {
				t.Errorf("%s: %s: got %q %v, want %q", name, attribute, got, ok, value)
			}
		}
	}
}

// The longest line of a table that is whole is followed by another row.
func TestNotBroken(t *testing.T) {
	devices := "ent0 Available 0A-00 PCIe2 10GbE SFP+ SR 4-port Converged Network Adapter (df1020e214100f04)\nent4 Available       Virtual I/O Ethernet Adapter (l-lan)\n"
	f, ok := Text([]byte(devices), Hint{})
	if !ok || f.Text != nil {
		t.Errorf("got %+v, want the table as it stands", f)
	}
}

// A text with a device's name and nothing else is none's statistics.
func TestEmptyStatistics(t *testing.T) {
	if f, ok := Text([]byte("ETHERNET STATISTICS (ent0) \u00ff\nDevice Type\u00ff x\n"), Hint{}); ok {
		t.Errorf("got %+v, want nothing", f)
	}
}

func FuzzMended(f *testing.F) {
	f.Add([]byte(table), "lsattr -El en0")
	f.Add([]byte(unexpand(table)), "")
	f.Add([]byte(broken(table, 70)), "lsattr")
	f.Add([]byte("ETHERNET STATISTICS (ent0) \u00ff\nDevice Type\u00ff x\n"), "entstat -d ent0")
	f.Add([]byte("FIBRE CHANNEL STATISTICS REPORT: fcs0\n\nETHERNET STATISTICS (ent0) :\nDevice Type: X\n"), "netstat -v")
	f.Fuzz(func(t *testing.T, text []byte, command string) {
		found, ok := Text(text, Hint{Command: command})
		if ok && found.Understood() > found.Report.Lines {
			t.Errorf("%d of %d lines understood", found.Understood(), found.Report.Lines)
		}
	})
}

// A list of values has no mark of its own, and no other shape to be known by.
func TestListsOfValues(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		hint Hint
		id   string
	}{
		"behind a prompt": {"1\n2\n4\n8\n", Hint{Command: "lsattr -Rl ent0 -a queues_rx"}, "lsattr-Rl"},
		"in a file":       {"no\nyes\n", Hint{File: "lsattr-Rl.ent0.jumbo_frames.txt"}, "lsattr-Rl"},
		"no values":       {"\x85\x95\xa3\xf0\n", Hint{File: "lsattr-Rl.ent0.jumbo_frames.txt"}, ""},
		"alone":           {"1\n2\n4\n8\n", Hint{}, ""},
		"indented range":  {"    1...4096 (+1)\n", Hint{Command: "lsattr -Rl ent0 -a max_buf_tiny"}, "lsattr-Rl"},
	} {
		id, attribute := "", ""
		if f, ok := Text([]byte(c.text), c.hint); ok {
			id, attribute = f.ID, f.Attribute
		}
		if id != c.id || (id != "") != (attribute != "") {
			t.Errorf("%s: got %q of attribute %q, want %q", name, id, attribute, c.id)
		}
	}
}

// The forms of oslevel are not each other's.
func TestLevels(t *testing.T) {
	for text, want := range map[string]string{
		"7200-05-06-2320\n": "oslevel-s", "7200-05\n": "oslevel-r", "7.2.0.0\n": "oslevel",
		"Known Service Packs\n-------------------\n7200-05-06-2320\n7200-05-05-2246\n":    "oslevel-q",
		"7.2.0.0\nKnown Maintenance Levels\n------------------------\n7.2.0.0\n7.1.0.0\n": "oslevel-q",
	} {
		f, ok := Text([]byte(text), Hint{})
		if !ok || f.ID != want {
			t.Errorf("%q: got %+v, want %s", text, f, want)
		}
	}
}
