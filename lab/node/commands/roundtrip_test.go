package commands_test

import (
	"strconv"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/netstat/interfaces"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/node"
	"seaworthy/lab/wire"
)

// TestUnderstood reads every output back with its codec: nothing may be
// unknown, nothing doubtful.
func TestUnderstood(t *testing.T) {
	l := newLab(t, "two-systems")
	read := func(line string, r *parse.Report, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", line, err)
			return
		}
		if len(r.Unknown) > 0 || len(r.Warnings) > 0 {
			t.Errorf("%s: got unknown %v, warnings %v, want none", line, r.Unknown, r.Warnings)
		}
	}
	for _, who := range []string{"lpar1", "vios1"} {
		text := func(line string) []byte { return []byte(l.must(who, line)) }
		for _, d := range l.Stores[who].Devices() {
			if d.Class != "adapter" {
				continue
			}
			line := "lsattr -EHl " + d.Name
			a, err := lsattr.Parse(text(line))
			read(line, &a.Report, err)
			line = "entstat -d " + d.Name
			s, err := entstat.Parse(text(line))
			read(line, &s.Report, err)
		}
		i, err := ifconfig.Parse(text("ifconfig -a"))
		read("ifconfig", &i.Report, err)
		n, err := interfaces.Parse(text("netstat -in"))
		read("netstat -in", &n.Report, err)
		r, err := routes.Parse(text("netstat -rn"))
		read("netstat -rn", &r.Report, err)
		p, err := protocols.Parse(text("netstat -s"))
		read("netstat -s", &p.Report, err)
		a, err := linewise.ParseARP(text("arp -an"))
		read("arp -an", &a.Report, err)
		d, err := lsdev.Parse(text("lsdev -Cc adapter"))
		read("lsdev", &d.Report, err)
		o, err := no.Parse(text("no -a"))
		read("no -a", &o.Report, err)
		o, err = no.Parse(text("no -L"))
		read("no -L", &o.Report, err)
		lp, err := lparstat.Parse(text("lparstat -i"))
		read("lparstat -i", &lp.Report, err)
		all, err := entstat.Parse(text("netstat -v"))
		read("netstat -v", &all.Report, err)
	}
	m, err := lsmap.Parse([]byte(l.must("padmin@vios1", "lsmap -all -net")))
	read("lsmap", &m.Report, err)
	a, err := lsattr.Parse([]byte(l.must("padmin@vios1", "lsdev -dev ent5 -attr")))
	read("lsdev -attr", &a.Report, err)
	d, err := lsdev.Parse([]byte(l.must("padmin@vios1", "lsdev -type adapter")))
	read("lsdev -type", &d.Report, err)
}

// TestValuesComeBack compares what was printed with what was known.
func TestValuesComeBack(t *testing.T) {
	l := newLab(t, "two-systems")
	l.LargeSend = func(e wire.End) (node.LargeSend, error) {
		return node.LargeSend{Frames: 3, Bytes: 195000, Biggest: 65160}, nil
	}
	printed, err := entstat.Parse([]byte(l.must("vios1", "entstat -d ent5")))
	if err != nil {
		t.Fatal(err)
	}
	sea := printed.Adapter("ent5")
	seen := map[string]bool{}
	sea.Walk(func(s *entstat.Statistics) {
		name := s.Adapter()
		seen[name] = true
		st, _ := l.stats(wire.End{Namespace: "vios1", Device: wire.DeviceName(name)})
		for _, c := range []struct {
			label string
			want  uint64
		}{
			{"tx.Packets", st.TxPackets}, {"rx.Packets", st.RxPackets}, {"tx.Bytes", st.TxBytes}, {"rx.Packets Dropped", st.RxDropped},
		} {
			if got, ok := s.Counters()[c.label]; !ok || got != c.want {
				t.Errorf("%s %s: got %d, %v, want %d", name, c.label, got, ok, c.want)
			}
		}
		if _, ok := s.Counters()["rx.No Resource Errors"]; ok {
			t.Errorf("%s: got No Resource Errors, want none: nobody counts them", name)
		}
	})
	for _, want := range []string{"ent0", "ent4", "ent5"} {
		if !seen[want] {
			t.Errorf("entstat -d ent5: got no section for %s", want)
		}
	}
	if b := sea.Bridge(); b == nil || len(b.Flags) != 3 {
		t.Errorf("SEA: got %+v, want the flags THREAD, LARGESEND, LARGE_RECEIVE", b)
	}
	for _, m := range sea.Members {
		if up, _ := m.Link(); up == nil || !*up {
			t.Errorf("%s: got no link, want up", m.Adapter())
		}
	}
	tcp, err := protocols.Parse([]byte(l.must("lpar1", "netstat -p tcp")))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]uint64{
		"packets_sent": 46017, "data_packets_retransmitted": 17, "retransmit_timeouts": 6, "connection_requests": 11,
		"large_sends": 3, "bytes_sent_using_largesend": 195000, "bytes_is_the_biggest_largesend": 65160,
	} {
		if got, ok := tcp.Get("tcp", key); !ok || got != want {
			t.Errorf("tcp.%s: got %d, %v, want %d", key, got, ok, want)
		}
	}
	if got, ok := tcp.Get("tcp", "fast_retransmits"); ok {
		t.Errorf("tcp.fast_retransmits: got %d, want none: this kernel does not say", got)
	}
}

// SEAs in pairs and EtherChannels say what they are in words that are read back.
func TestStackedUnderstood(t *testing.T) {
	entstatOf := func(l *lab, who, device string) *entstat.Statistics {
		t.Helper()
		s, err := entstat.Parse([]byte(l.must(who, "entstat -d "+device)))
		if err != nil {
			t.Fatalf("%s %s: %v", who, device, err)
		}
		if len(s.Unknown) > 0 || len(s.Warnings) > 0 {
			t.Errorf("%s %s: got unknown %v, warnings %v", who, device, s.Unknown, s.Warnings)
		}
		return s.Adapter(device)
	}
	l := newLab(t, "dual-vios")
	for who, want := range map[string][4]string{
		"vios1a": {"PRIMARY", "All", "Auto", "1"}, "vios1b": {"BACKUP", "None", "Auto", "2"},
		"vios2a": {"PRIMARY_SH", "Partial", "Sharing", "1"}, "vios2b": {"BACKUP_SH", "Partial", "Sharing", "2"},
	} {
		h := entstatOf(l, who, "ent5").HA()
		if h == nil || h.Priority == nil || h.ControlPVID == nil || *h.ControlPVID != 99 {
			t.Errorf("%s: got %+v, want priority and control channel 99", who, h)
			continue
		}
		if got := [4]string{h.State, h.BridgeMode, h.Mode, strconv.FormatUint(*h.Priority, 10)}; got != want {
			t.Errorf("%s: got %v, want %v", who, got, want)
		}
		// Its control channel has no interface that would bring it up.
		if v := entstatOf(l, who, "ent6").Virtual(); v == nil || v.LANState != "Operational" {
			t.Errorf("%s ent6: got %+v, want it operational", who, v)
		}
	}
	l = newLab(t, "etherchannel")
	c := entstatOf(l, "vios1", "ent2").Channel()
	if c == nil || c.Primary == nil || *c.Primary != 2 || c.OperatingMode != "Standard mode (IEEE 802.3ad)" || c.Aggregation != "Aggregated" {
		t.Errorf("vios1 ent2: got %+v, want an aggregation of two ports", c)
	}
	s := entstatOf(l, "lpar2", "ent3")
	if c := s.Channel(); c == nil || c.Backup == nil || *c.Backup != 1 || len(s.Members) != 3 {
		t.Errorf("lpar2 ent3: got %+v and %d adapters, want two and a backup", c, len(s.Members))
	}
	sea := entstatOf(l, "vios1", "ent5")
	names := 0
	sea.Walk(func(*entstat.Statistics) { names++ })
	if names != 5 {
		t.Errorf("vios1 ent5: got %d adapters in all, want the SEA, its EtherChannel with two ports, and its trunk", names)
	}
	l.want("adapter_names", l.value("vios1", "ent2", "adapter_names"), "ent0,ent1")
	l.refused("vios1", "chdev -l ent2 -a hash_mode=default", "0514-062")
	l.refused("vios1", "chdev -l ent0 -a jumbo_frames=yes", "0514-062")
	l.refused("vios1", "rmdev -l ent2", "0514-062")
	l.refused("vios1", "chdev -l ent2 -a backup_adapter=ent0", "topology")
}
