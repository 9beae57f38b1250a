package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var filesCodec = codectest.Codec[FileLines]{Parse: ParseSysfs, Report: func(f *FileLines) *parse.Report { return &f.Report }}

const filesSample = "/sys/class/net/eth0/address:02:00:5e:10:00:0b\n" +
	"/sys/class/net/eth0/mtu:1500\n" +
	"grep: /sys/class/net/eth0/speed: Invalid argument\n" +
	"/sys/class/net/eth0/device/uevent:DRIVER=ibmveth\n" +
	"/sys/class/net/eth0/device/uevent:MODALIAS=vio:TnetworkSIBM,l-lan\n" +
	"/proc/sys/net/ipv4/tcp_rmem:4096\t131072\t6291456\n" +
	"/sys/class/net/eth01/mtu:9000\n"

func TestParseFiles(t *testing.T) {
	f := filesCodec.Read(t, filesSample)
	var got []string
	for _, l := range f.Below("/sys/class/net/eth0") {
		got = append(got, l.Path+" "+l.Value)
	}
	want := []string{"address 02:00:5e:10:00:0b", "mtu 1500", "device/uevent DRIVER=ibmveth", "device/uevent MODALIAS=vio:TnetworkSIBM,l-lan"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("eth0 (-want +got):\n%s", diff)
	}
	if len(f.Unknown) != 0 || f.Messages != 1 || f.Warnings[0].Number != 3 {
		t.Errorf("got %+v, want a message in line 3", f.Report)
	}
	for _, text := range []string{"", "grep: /sys/class/net/x: No such file or directory\n", "mtu:1500\n"} {
		if _, err := ParseSysfs([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

// Half a number is a wrong one.
func TestFilesCutOff(t *testing.T) {
	f := filesCodec.Read(t, "/sys/class/net/eth0/mtu:1500\n/sys/class/net/eth0/statistics/rx_dropped:12")
	if len(f.Lines) != 1 || len(f.Unknown) != 1 {
		t.Errorf("got %d lines and unknown %v, want the mtu alone", len(f.Lines), f.Unknown)
	}
}
