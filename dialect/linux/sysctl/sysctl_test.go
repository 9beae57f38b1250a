package sysctl_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
	"seaworthy/dialect/linux/sysctl"
)

var codec = codectest.Codec[sysctl.Settings]{
	Parse: sysctl.Parse, Format: sysctl.Format,
	Report: func(s *sysctl.Settings) *dialect.Report { return &s.Report },
}

const sample = "net.core.rmem_max = 212992\n" +
	"net.ipv4.tcp_rmem = 4096\t131072\t6291456\n" +
	"net.ipv4.tcp_congestion_control = cubic\n" +
	"net.ipv4.ip_local_reserved_ports = \n" +
	"sysctl: cannot stat /proc/sys/net/ipv4/tcp_window: No such file or directory\n" +
	"net/ipv4/conf/eth0.100/rp_filter = 0\n" +
	"net.ipv4.some = a = b\n"

func TestParse(t *testing.T) {
	v := codec.RoundTrip(t, []byte(sample))
	if len(v.Unknown) != 1 || len(v.Warnings) != 1 || len(v.Settings) != 6 {
		t.Errorf("got %d settings, report %+v", len(v.Settings), v.Report)
	}
	got, ok := v.Find("net.ipv4.tcp_rmem").Counts()
	if diff := cmp.Diff([]uint64{4096, 131072, 6291456}, got); diff != "" || !ok {
		t.Errorf("tcp_rmem (-want +got):\n%s", diff)
	}
	if x := v.Find("net.ipv4.conf.eth0/100.rp_filter"); x == nil || x.Value != "0" {
		t.Errorf("rp_filter of eth0.100: got %+v", x)
	}
	for _, name := range []string{"net.ipv4.tcp_congestion_control", "net.ipv4.ip_local_reserved_ports"} {
		if n, ok := v.Find(name).Counts(); ok {
			t.Errorf("%s: got numbers %v", name, n)
		}
	}
	for _, text := range []string{"", "tcp_sendspace = 16384\n", "sysctl: permission denied\n"} {
		if _, err := sysctl.Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestFormatFresh(t *testing.T) {
	v := &sysctl.Settings{Settings: []*sysctl.Setting{{Name: "net.ipv4.tcp_sack", Value: "1"}}}
	if got := string(sysctl.Format(v)); got != "net.ipv4.tcp_sack = 1\n" {
		t.Errorf("got %q", got)
	}
}

func TestDamaged(t *testing.T)    { codec.Damaged(t, []byte(sample)) }
func TestEveryValue(t *testing.T) { codec.EveryValue(t, []byte(sample)) }
func FuzzParse(f *testing.F)      { codec.Fuzz(f, sample) }
