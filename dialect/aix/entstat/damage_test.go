package entstat_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/codectest"
)

func TestDamaged(t *testing.T) {
	for _, file := range []string{"virtual.txt", "physical.txt", "channel.txt", "sea.txt"} {
		t.Run(file, func(t *testing.T) { codec.Damaged(t, sample(t, file)) })
	}
}

func TestCorpusDamaged(t *testing.T) {
	for _, file := range codectest.Files(t, "entstat_*/*") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		codec.Damaged(t, text)
		allChanged(t, text)
	}
}

// TestWrongNumbers puts what is no count where a count belongs.
func TestWrongNumbers(t *testing.T) {
	text := string(sample(t, "physical.txt"))
	for _, bad := range []string{"-5", "4,5", "4.5", "99999999999999999999", "0x10", "12k", "007", "", "N/A", "1 2"} {
		s := codec.RoundTrip(t, []byte(strings.Replace(text, "Packets: 200000", "Packets: "+bad, 1)))
		if n, ok := s.Counter(entstat.Transmit, "Packets"); ok {
			t.Errorf("Packets: %s: got %d, want none", bad, n)
		}
		if n, ok := s.Counter(entstat.Receive, "Packets"); !ok || n != 200_007 {
			t.Errorf("Packets: %s: right column: got %d %v, want 200007", bad, n, ok)
		}
		if len(s.Warnings) == 0 {
			t.Errorf("Packets: %s: no warning", bad)
		}
	}
}

func TestJunk(t *testing.T) {
	good := sample(t, "virtual.txt")
	junk := bytes.Repeat([]byte("\x00\xff\x1b[:=-: 9 ( \x7f\n"), 10<<20/17)
	codec.Survives(t, junk)
	codec.Survives(t, append(append([]byte{}, good...), junk...))
	codec.Survives(t, append([]byte("ETHERNET STATISTICS ("), bytes.Repeat([]byte(" x:"), 1<<20)...))
	codec.Survives(t, append([]byte("Device Type:\n"), bytes.Repeat([]byte("Real Adapter: ent0\n"), 1<<14)...))
	s := codec.RoundTrip(t, append(append([]byte{}, good...), "\x01binary\n"...))
	if len(s.Unknown) != 1 || s.Coverage() == 1 {
		t.Errorf("unknown: got %v, want the binary line", s.Unknown)
	}
}

func TestErrors(t *testing.T) {
	for _, text := range []string{
		"", "\n", "hello\n", "entstat: 0909-002 Unable to open device en0, errno = 13\n",
		"Transmit Statistics:   Receive Statistics:\nPackets: 1   Packets: 2\n", "FIBRE CHANNEL STATISTICS REPORT: fcs0\n",
	} {
		if s, err := entstat.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, %v, want ErrNotRecognised", text, s, err)
		}
	}
	_, err := entstat.Parse([]byte("entstat: 0909-002 Unable to open device en0, errno = 13\n"))
	if err == nil || !strings.Contains(err.Error(), "0909-002") {
		t.Errorf("got %v, want the command's own message", err)
	}
	s := codec.RoundTrip(t, append([]byte("entstat: 0909-002 Unable to open device en7, errno = 13\n"), sample(t, "virtual.txt")...))
	if len(s.Warnings) != 1 || len(s.Unknown) != 0 {
		t.Errorf("got warnings %v, unknown %v, want the message as a warning", s.Warnings, s.Unknown)
	}
}

// TestEdited adds and takes away fields of a text that was read, which has
// lines that were not understood.
func TestEdited(t *testing.T) {
	text := strings.Replace(string(sample(t, "virtual.txt")), "RQ Length", "*** note ***\nRQ Length", 1)
	s := codec.RoundTrip(t, []byte(text))
	for i, f := range s.Fields {
		if f.Label == "Invalid VLAN ID Packets" {
			s.Fields = append(s.Fields[:i:i], s.Fields[i+1:]...)
			break
		}
	}
	want := strings.Replace(text, "\nInvalid VLAN ID Packets: 100005\n", "", 1)
	if got := string(entstat.Format(s)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	s = codec.RoundTrip(t, []byte(text))
	for _, f := range s.Fields {
		if f.Label == "Driver Flags" {
			f.Items = []string{"Up", "Limbo"}
		}
		if f.Label == "VLAN Tag IDs" {
			f.Cells = nil
		}
	}
	got := string(entstat.Format(s))
	if !strings.Contains(got, "Driver Flags: Up Limbo \n\nVirtual I/O") || !strings.Contains(got, "VLAN Tag IDs:  None\n") || strings.Contains(got, "4094") {
		t.Errorf("lists of another length: got\n%s", got)
	}
}

func FuzzParse(f *testing.F) {
	var seeds []string
	for _, file := range []string{"virtual.txt", "physical.txt", "channel.txt", "sea.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(text))
	}
	seeds = append(seeds, "Device Type: \nX\n\tQueue: 3 \n\t [q-1]: a:\t5\n", "ETHERNET STATISTICS (\x1b[1men0\x1b[m) :\nA:  1   B:\tC: 2 \x1b[0m\r\n")
	codec.Fuzz(f, seeds...)
}

func FuzzParseAll(f *testing.F) {
	f.Add([]byte("x\nFIBRE CHANNEL STATISTICS REPORT: fcs0\n\nETHERNET STATISTICS (ent0) :\nDevice Type: EtherChannel\nNumber of adapters: 1\nETHERNET STATISTICS (ent1) :"))
	f.Add([]byte("FIBRE CHANNEL STATISTICS REPORT: fcs0\n\nETHERNET STATISTICS (\x00t0) :\nDevice Type: X\nETHERNET STATISTICS (ent1) :"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := entstat.ParseAll(text)
		if err != nil {
			return
		}
		if got := entstat.FormatAll(l); !bytes.Equal(got, text) {
			t.Errorf("FormatAll(ParseAll(x)) is not x:\n got %q\nwant %q", got, text)
		}
	})
}

// TestCorpusCopied reads real outputs as they arrive from pages and chats:
// blanks collapsed, indentation gone, perhaps blank lines too. The answers must
// be the same.
func TestCorpusCopied(t *testing.T) {
	runs := regexp.MustCompile(`[ \t]+`)
	edges := regexp.MustCompile(`(?m)^ | $`)
	type answers struct {
		Tree     []string
		Counters []map[string]uint64
		Flags    [][]string
		VLANs    [][]int
		Pools    [][]entstat.Pool
		HA       []*entstat.HA
		LACP     []*entstat.LACP
		Up       []*bool
		Speed    []*int64
	}
	ask := func(s *entstat.Statistics) (a answers) {
		a.Tree = tree(s, 0)
		s.Walk(func(s *entstat.Statistics) {
			up, speed := s.Link()
			a.Counters, a.Flags, a.VLANs = append(a.Counters, s.Counters()), append(a.Flags, s.Flags()), append(a.VLANs, s.VLANs())
			a.Pools, a.HA, a.LACP = append(a.Pools, s.Buffers()), append(a.HA, s.HA()), append(a.LACP, s.LACP())
			a.Up, a.Speed = append(a.Up, up), append(a.Speed, speed)
		})
		return a
	}
	for _, file := range codectest.Files(t, "entstat_*/*") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := ask(codec.RoundTrip(t, text))
		collapsed := edges.ReplaceAll(runs.ReplaceAll(text, []byte(" ")), nil)
		for name, copied := range map[string][]byte{
			"collapsed": collapsed, "no blank lines": regexp.MustCompile(`\n\n+`).ReplaceAll(collapsed, []byte("\n")),
			"eight blanks": bytes.ReplaceAll(text, []byte("\t"), []byte("        ")),
		} {
			s := codec.RoundTrip(t, copied)
			if diff := cmp.Diff(want, ask(s)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", filepath.Base(file), name, diff)
			}
			for _, l := range s.Unknown {
				t.Errorf("%s, %s: line %d not understood: %q", filepath.Base(file), name, l.Number, l.Text)
			}
		}
	}
}

// A list that lost a line says nothing about what is not in it.
func TestSpoiltLists(t *testing.T) {
	const good = "ETHERNET STATISTICS (ent0) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\n\nGeneral Statistics:\n-------------------\n" +
		"Driver Flags: Up Broadcast Running \n\tSimplex 64BitSupport \n\tDataRateSet PlatformTSO \n\n" +
		"Virtual I/O Ethernet Adapter (l-lan) Specific Statistics:\n---------------------------------------------------------\nPort VLAN ID:     1\nVLAN Tag IDs:    10    11    12\n                 13    14    15\nSwitch ID: ETHERNET0\n"
	tests := []struct {
		name, old, new string
		flags, vlans   bool // known as a whole
	}{
		{"nothing", "", "", true, true},
		{"a byte of another encoding", "64BitSupport", "64Bit\xdfupport", false, true},
		{"a control character", "64BitSupport", "64Bit\x01upport", false, true},
		{"a sign in the first line", "Broadcast", "Broad?ast", false, true},
		{"a VLAN that is no number", "14", "1\xff4", true, false},
		{"a VLAN that is too large a number", "14", "14000000000000000000000", true, false},
	}
	for _, tt := range tests {
		s := codec.RoundTrip(t, []byte(strings.Replace(good, tt.old, tt.new, 1)))
		if got := s.FlagsWhole(); got != tt.flags {
			t.Errorf("%s: flags whole: got %v, want %v (%q)", tt.name, got, tt.flags, s.Flags())
		}
		if set := s.Flag("LargeSend"); (set != nil) != tt.flags {
			t.Errorf("%s: LargeSend known: got %v, want %v", tt.name, set != nil, tt.flags)
		}
		if v := s.VLANs(); (v != nil) != tt.vlans {
			t.Errorf("%s: VLANs: got %v, want them known: %v", tt.name, v, tt.vlans)
		}
	}
}
