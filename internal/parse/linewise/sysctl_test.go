package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var sysctlCodec = codectest.Codec[SysctlSettings]{Parse: ParseSysctl, Report: func(s *SysctlSettings) *parse.Report { return &s.Report }}

const sysctlSample = "net.core.rmem_max = 212992\n" +
	"net.ipv4.tcp_rmem = 4096\t131072\t6291456\n" +
	"net.ipv4.ip_local_reserved_ports = \n" +
	"sysctl: cannot stat /proc/sys/net/ipv4/tcp_window: No such file or directory\n" +
	"sysctl: reading key \"net.ipv6.conf.all.stable_secret\"\n" +
	"net/ipv4/conf/eth0.100/rp_filter = 0\n" +
	"net.ipv4.some = a = b\n"

func TestParseSysctl(t *testing.T) {
	v := sysctlCodec.Read(t, sysctlSample)
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
		if _, err := ParseSysctl([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}
