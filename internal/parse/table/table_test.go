package table_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse/table"
)

const (
	network  = "Name  Mtu   Network     Address            ZoneID    Ipkts Ierrs    Opkts Oerrs  Coll"
	tunables = "NAME                      CUR    DEF    BOOT   MIN    MAX    UNIT           TYPE"
)

func columns(heading string, optional []string, wide string) table.Columns {
	c := table.Heading(table.Words(heading))
	for i := range c {
		c[i].Optional = slices.Contains(optional, c[i].Text)
		c[i].Wide = c[i].Text == wide
	}
	return c
}

func TestCells(t *testing.T) {
	netstat := columns(network, []string{"Network", "Address", "ZoneID"}, "")
	no := columns(tunables, []string{"CUR", "DEF", "BOOT", "MIN", "MAX", "UNIT"}, "UNIT")
	for _, c := range []struct {
		name    string
		columns table.Columns
		row     string
		want    string // cells with bars between, "" for none
	}{
		{"every cell", netstat, "en5   1500  fe80::9abe  fe80::9abe:94ff:1         2 123456     0    12312     0     0", "en5|1500|fe80::9abe|fe80::9abe:94ff:1|2|123456|0|12312|0|0"},
		{"collapsed", netstat, "en5 1500 fe80::9abe fe80::9abe:94ff:1 2 123456 0 12312 0 0", "en5|1500|fe80::9abe|fe80::9abe:94ff:1|2|123456|0|12312|0|0"},
		{"one blank", netstat, "en5   1500  link#2      98.be.94.1.2.3              123456     0    12312     0     0", "en5|1500|link#2|98.be.94.1.2.3||123456|0|12312|0|0"},
		{"two blanks", netstat, "lo0   16896 link#1                                     434     0      434     0     0", "lo0|16896|link#1|||434|0|434|0|0"},
		{"pushed", netstat, "en2   1500  fe80::a1b2:c3d4:e5f6:7788%4              1234567890     0   765432109     0     0", "en2|1500|fe80::a1b2:c3d4:e5f6:7788%4|||1234567890|0|765432109|0|0"},
		{"collapsed and blank", netstat, "lo0 16896 link#1 434 0 434 0 0", ""},
		{"blank cells", no, "gone_here                 n/a                  0      1      boolean           D", "gone_here|n/a|||0|1|boolean|D"},
		{"nearly all blank", no, "memory_frames             10752K        10752K                                 S", "memory_frames|10752K||10752K||||S"},
		{"two words", no, "maxfree%                  1088   1088   1088   -1     8601K  4KB pages         D", "maxfree%|1088|1088|1088|-1|8601K|4KB pages|D"},
		{"two words, collapsed", no, "maxfree% 1088 1088 1088 -1 8601K 4KB pages D", "maxfree%|1088|1088|1088|-1|8601K|4KB pages|D"},
		{"two words and a blank cell", no, "maxfree%                  1088   1088          -1     8601K  4KB pages         D", "maxfree%|1088|1088||-1|8601K|4KB pages|D"},
		{"a value too few", no, "tcp_sendspace 16K 16K 16K 4K 8E-1 byte", ""},
		{"heading collapsed", columns(strings.Join(strings.Fields(tunables), " "), []string{"CUR", "DEF", "BOOT", "MIN", "MAX", "UNIT"}, "UNIT"),
			"dgd_retry_time 5 5 5 1 32K-1 numeric D", "dgd_retry_time|5|5|5|1|32K-1|numeric|D"},
		{"nothing", no, "", ""},
	} {
		got := strings.Join(c.columns.Cells(table.Words(c.row)), "|")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func FuzzCells(f *testing.F) {
	f.Add(network, "lo0 16896 link#1 434 0 434 0 0")
	f.Add(tunables, "gone_here                 n/a                  0      1      boolean           D")
	f.Fuzz(func(t *testing.T, heading, row string) {
		c := columns(heading, strings.Fields(heading), "UNIT")
		words := table.Words(row)
		cells := c.Cells(words)
		if cells == nil {
			return
		}
		var texts []string
		for _, w := range words {
			texts = append(texts, w.Text)
		}
		if got, want := strings.Fields(strings.Join(cells, " ")), texts; len(cells) != len(c) || !slices.Equal(got, want) && len(want) > 0 {
			t.Errorf("%q: got %q in %d cells, want every word once in %d", row, got, len(cells), len(c))
		}
	})
}

func FuzzParseFields(f *testing.F) {
	f.Add("name:status:description", "ent0:Available:Shared Ethernet Adapter")
	f.Add("name type", "ent0 sea")
	f.Fuzz(func(t *testing.T, format, line string) {
		fields := table.ParseFields(format)
		if len(fields.Names) != len(fields.Seps) {
			t.Fatalf("%q: got %d names, %d separators", format, len(fields.Names), len(fields.Seps))
		}
		values, _ := fields.Split(line, 0)
		if values == nil || fields.Aligned() {
			return
		}
		joined := ""
		for i, v := range values {
			joined += v + fields.Seps[i]
		}
		if joined != line {
			t.Errorf("%q: cut and joined: got %q, want %q", format, joined, line)
		}
	})
}
