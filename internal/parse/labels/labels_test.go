package labels_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// read gives the fields of a text in a line each, and what was not understood.
func read(text string) (fields []string, unknown []parse.Line) {
	var report parse.Report
	var all []*labels.Field
	r := labels.NewReader([]byte(text), &report)
	r.Begin(&all)
	for i := range r.Lines {
		r.Read(i)
	}
	for _, f := range all {
		s := string(f.Kind) + "|" + f.Section + "|" + string(f.Side) + "|" + f.Label
		if f.Number != nil {
			s += "=" + strconv.FormatUint(*f.Number, 10)
		}
		if f.Text != "" {
			s += "=" + f.Text
		}
		for _, w := range f.Items {
			s += " " + w
		}
		for _, c := range f.Cells {
			if c == nil {
				s += " -"
			} else {
				s += " " + strconv.FormatUint(*c, 10)
			}
		}
		fields = append(fields, s)
	}
	return fields, report.Unknown
}

func TestShapes(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"pairs": {"State: open             Reboots: 3\nVersion: v1.0:2\n", []string{"|||State=open", "|||Reboots=3", "|||Version=v1.0:2"}},
		"two columns": {"Transmit Statistics:      Receive Statistics:\n------\nPackets: 1       Packets: 2\n                         Bad: 3\nQueue Length: 4\n",
			[]string{"||tx|Packets=1", "||rx|Packets=2", "||rx|Bad=3", "|||Queue Length=4"}},
		"columns of a name": {"TX Queue 1:      RX Queue 1:\n----------       ----------\nSize: 1     Size: 2\n",
			[]string{"heading|TX Queue 1 | RX Queue 1||TX Queue 1=RX Queue 1", "|TX Queue 1 | RX Queue 1|tx|Size=1", "|TX Queue 1 | RX Queue 1|rx|Size=2"}},
		"lists": {"Driver Flags: Up Running \n\tSimplex \nVLAN Tag IDs:   10   11\n               12\n", []string{"list|||Driver Flags Up Running Simplex", "list|||VLAN Tag IDs 10 11 12"}},
		"zeros": {"Main:\n-----\nEnabled VLAN IDs:\n\t0148  0200\n\t0\nA: 1\n", []string{"heading|Main||Main", "list|Main||Enabled VLAN IDs 148 200 0", "|Main||A=1"}},
		"numbered": {"Main:\n-----\nPriority   Frames    Pauses\n--------   ------    ------\n0          12         3\n1           0         4\n",
			[]string{"heading|Main||Main", "heading|Priority||Priority", "columns|Priority||Priority Frames Pauses", "row|Priority||0 12 3", "row|Priority||1 0 4"}},
		"notes below a bare label": {"Main:\n-----\nSources: \n\t96\tMGT\nAfter: 1\n", []string{"heading|Main||Main", "heading|Main / Sources||Sources", "note|Main / Sources||=96\tMGT", "|Main||After=1"}},
		"sections":                 {"Main:\n-----\nA: 1\nInner:\n\tB: 2\nC: 3\n", []string{"heading|Main||Main", "|Main||A=1", "heading|Main / Inner||Inner", "|Main / Inner||B=2", "|Main||C=3"}},
		"equals":                   {"Main:\n-----\n[PPCNT - X]\nrx_high = 1\nrx_low = 2\n", []string{"heading|Main||Main", "heading|Main / PPCNT - X||PPCNT - X", "|Main / PPCNT - X||rx=4294967298"}},
		"table": {"Main:\n-----\nVPort Counters     Packets    Octets\n--------------------\nerrors      0     7\n",
			[]string{"heading|Main||Main", "heading|VPort Counters||VPort Counters", "columns|VPort Counters||VPort Counters Packets Octets", "row|VPort Counters||errors 0 7"}},
		"notes": {"Main:\n-----\nSources: 2\n\t96\tMGT\n\t97\tNIC TX,RX\nAfter: 1\n", []string{"heading|Main||Main", "|Main||Sources=2", "note|Main||=96\tMGT", "note|Main||=97\tNIC TX,RX", "|Main||After=1"}},
	} {
		got, unknown := read(c.text)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(unknown) > 0 {
			t.Errorf("%s: not understood: %v", name, unknown)
		}
	}
}

// What has no shape of a value is reported.
func TestUnknown(t *testing.T) {
	for _, line := range []string{"just a sentence", "\x01binary: 5", ": 5", "naïve: 5", "12: 5"} {
		if _, unknown := read("Main:\n-----\nA: 1\n" + line + "\n"); len(unknown) != 1 {
			t.Errorf("%q: got %v not understood, want the line", line, unknown)
		}
	}
}

func TestCut(t *testing.T) {
	for line, want := range map[string]labels.Pair{
		"Entitled Capacity     : 0.30": {Label: "Entitled Capacity", Value: "0.30"}, "\tSub  Netmask: 255.0.0.0 ": {Label: "Sub Netmask", Value: "255.0.0.0"},
		"Empty:": {Label: "Empty"}, "no label": {}, ": x": {Label: ""},
	} {
		if got, ok := labels.Cut(line); ok != (want.Label != "") || ok && got != want {
			t.Errorf("%q: got %+v, %v, want %+v", line, got, ok, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Main:\n-----\nA: 1   B: 2\n\tC  5\n<x>\nX Flags:\n Up\n")
	f.Add("Transmit Statistics:  Receive Statistics:\nA:  B: 2\n[q]: x:\t5\na_high = 1\na_low = 2\n T ... #3\n")
	f.Fuzz(func(t *testing.T, text string) { read(text) })
}
