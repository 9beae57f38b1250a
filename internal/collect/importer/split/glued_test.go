package split

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect/importer/detect"
)

// A prompt behind the last line of an output that has no end begins the next command, and the value before it is kept.
func TestGluedPrompts(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string // command, line, text
	}{
		"in the middle and at the end": {"root@web7:~# cat /sys/class/net/eth0/mtu\n9000root@web7:~# uname -m\nx86_64root@web7:~# ",
			[]string{"cat /sys/class/net/eth0/mtu 2 9000", "uname -m 3 x86_64"}},
		"brackets, another folder": {"[oper@db1 ~]$ oslevel -s\n7200-05-06-2320[oper@db1 tmp]$ uname -m\n00C8D2E44C00\n",
			[]string{"oslevel -s 2 7200-05-06-2320", "uname -m 3 00C8D2E44C00"}},
		"an address in a command": {"root@web7:~# uname -m\nx86_64\nroot@web7:~# ssh root@web7: uname -m # again\nx86_64\n",
			[]string{"uname -m 2 x86_64", "ssh root@web7: uname -m # again 4 x86_64"}},
	} {
		var got []string
		for _, p := range Text(t.Context(), []byte(c.text), "log.txt").Pieces {
			got = append(got, fmt.Sprint(p.Command, " ", p.Line, " ", strings.TrimSpace(string(p.Text))))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Whole outputs before and behind the head of an nmon file are outputs, though the head is known whatever stands around it.
func TestAroundNmon(t *testing.T) {
	const ip = "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000\n" +
		"    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n    inet 127.0.0.1/8 scope host lo\n" +
		"2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000\n" +
		"    link/ether 52:54:00:00:00:17 brd ff:ff:ff:ff:ff:ff\n    inet 192.0.2.17/24 brd 192.0.2.255 scope global eth0\n"
	const head = "AAA,progname,nmon\nAAA,host,p9\nAAA,OS,Linux,5.14.21,#1 SMP,ppc64le\nAAA,time,10:01.12\nZZZZ,T0001,10:01:22,12-NOV-2025\n"
	features := "Features for eth0:\n" + strings.Repeat("tcp-segmentation-offload: off\n", 20)
	var got []string
	for _, p := range Text(t.Context(), []byte(ip+"\n"+head+"\n"+ip+"\n"+features), "").Pieces {
		f, ok := detect.Text(p.Text, detect.Hint{})
		if !ok {
			t.Errorf("not recognised: %q", p.Text)
			continue
		}
		got = append(got, f.ID)
	}
	want := []string{"ip-addr-text", "nmon-linux", "ip-addr-text", "ethtool-k"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
