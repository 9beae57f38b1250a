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
		"as printed": table, "tabs": unexpand(table), "80 columns": broken(table, 80), "70 columns": broken(table, 70), "tabs of broken lines": unexpand(broken(table, 80)),
	} {
		f, ok := Text([]byte(text), Hint{Command: "lsattr -El en0"})
		if !ok {
			t.Errorf("%s: not recognised", name)
			continue
		}
		if mended := f.Text != nil; mended != (name != "as printed") || mended && len(f.Report.Warnings) == 0 {
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
