package sysctl_test

import (
	"errors"
	"flag"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/sysctl"
	"seaworthy/internal/test/codectest"
)

var update = flag.Bool("update", false, "write golden files")

var codec = codectest.Codec[sysctl.Settings]{Parse: sysctl.Parse, Report: func(s *sysctl.Settings) *parse.Report { return &s.Report }}

const sample = "net.core.rmem_max = 212992\n" +
	"net.ipv4.tcp_rmem = 4096\t131072\t6291456\n" +
	"net.ipv4.ip_local_reserved_ports = \n" +
	"sysctl: cannot stat /proc/sys/net/ipv4/tcp_window: No such file or directory\n" +
	"sysctl: reading key \"net.ipv6.conf.all.stable_secret\"\n" +
	"net/ipv4/conf/eth0.100/rp_filter = 0\n" +
	"net.ipv4.some = a = b\n"

func TestParse(t *testing.T) {
	v := codec.Read(t, sample)
	got := map[string]string{}
	for _, s := range v.Settings {
		got[s.Name] = s.Value
	}
	want := map[string]string{"net.core.rmem_max": "212992", "net.ipv4.tcp_rmem": "4096\t131072\t6291456", "net.ipv4.ip_local_reserved_ports": "",
		"net/ipv4/conf/eth0.100/rp_filter": "0", "net.ipv4.some": "a = b"}
	if diff := cmp.Diff(want, got); diff != "" || len(v.Unknown) != 0 || len(v.Warnings) != 2 {
		t.Errorf("got %+v; settings (-want +got):\n%s", v.Report, diff)
	}
	for _, text := range []string{"", "tcp_sendspace = 16384\n", "sysctl: permission denied\n"} {
		if _, err := sysctl.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestCorpus(t *testing.T)  { codec.Corpus(t, *update, "linux/sysctl/*") }
func TestDamaged(t *testing.T) { codec.Damaged(t, sample) }
func TestFast(t *testing.T)    { codec.Fast(t, sample) }
func FuzzParse(f *testing.F)   { codec.Fuzz(f, sample) }
