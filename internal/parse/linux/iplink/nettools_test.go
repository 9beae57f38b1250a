package iplink_test

import (
	"fmt"
	"strings"
	"testing"

	"seaworthy/internal/parse/linux/iplink"
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/growth"
)

var (
	ifconfig = codectest.Codec[iplink.Links]{Parse: iplink.ParseIfconfig, Report: reportOf}
	netstatI = codectest.Codec[iplink.Links]{Parse: iplink.ParseNetstat, Report: reportOf}
)

const newIfconfig = "eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 9000\n" +
	"        inet 192.0.2.7  netmask 255.255.254.0  broadcast 192.0.3.255\n" +
	"        inet6 fe80::1  prefixlen 64  scopeid 0x20<link>\n" +
	"        ether 02:00:00:00:00:0A  txqueuelen 1000  (Ethernet)\n" +
	"        RX packets 20  bytes 3000 (2.9 KiB)\n        RX errors 1  dropped 4  overruns 5  frame 6\n" +
	"        TX packets 21  bytes 3100 (3.0 KiB)\n        TX errors 2  dropped 7 overruns 8  carrier 9  collisions 3\n" +
	"        device interrupt 20  memory 0xc0000000-c0020000  \n\n" +
	"eth0:1: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 9000\n" +
	"        inet 192.0.2.8  netmask 255.255.254.0  broadcast 192.0.3.255\n        ether 02:00:00:00:00:0a  txqueuelen 1000  (Ethernet)\n\n" +
	"lo: flags=73<UP,LOOPBACK,RUNNING>  mtu 65536\n        inet 127.0.0.1  netmask 255.0.0.0\n        loop  txqueuelen 1000  (Local Loopback)\n"

const oldIfconfig = "eth0      Link encap:Ethernet  HWaddr 02:00:00:00:00:0A  \n" +
	"          inet addr:192.0.2.7  Bcast:192.0.3.255  Mask:255.255.254.0\n" +
	"          inet6 addr: fe80::1/64 Scope:Link\n" +
	"          UP BROADCAST RUNNING MULTICAST  MTU:9000  Metric:1\n" +
	"          RX packets:20 errors:1 dropped:4 overruns:5 frame:6\n          TX packets:21 errors:2 dropped:7 overruns:8 carrier:9\n" +
	"          collisions:3 txqueuelen:1000 \n          RX bytes:3000 (2.9 KiB)  TX bytes:3100 (3.0 KiB)\n          Interrupt:20 Memory:c0000000-c0020000 \n\n" +
	"eth0:1    Link encap:Ethernet  HWaddr 02:00:00:00:00:0A  \n          inet addr:192.0.2.8  Bcast:192.0.3.255  Mask:255.255.254.0\n" +
	"          UP BROADCAST RUNNING MULTICAST  MTU:9000  Metric:1\n\n" +
	"lo        Link encap:Local Loopback  \n          inet addr:127.0.0.1  Mask:255.0.0.0\n          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n"

// Both forms say the same; an alias is its device's.
func TestIfconfig(t *testing.T) {
	for name, text := range map[string]string{"new": newIfconfig, "old": oldIfconfig} {
		l := ifconfig.Read(t, text)
		if len(l.Unknown) > 0 || len(l.Links) != 2 {
			t.Fatalf("%s: got %d devices, unknown %v; want 2 and none", name, len(l.Links), l.Unknown)
		}
		e := l.Links[0]
		var addresses []string
		for _, a := range e.Addresses {
			addresses = append(addresses, fmt.Sprintf("%s/%d%s", a.Local, a.Prefix, a.Scope))
		}
		got := fmt.Sprint(e.Name, " ", e.MTU, " ", e.MAC, " ", e.Has("LOWER_UP"), " ", e.TxQueue, " ", addresses, " ", e.Counted.Counters())
		const want = "eth0 9000 02:00:00:00:00:0a true 1000 [192.0.2.7/23 fe80::1/64link 192.0.2.8/23] map[collisions:3 " +
			"rx_bytes:3000 rx_dropped+missed:4 rx_errors:1 rx_fifo_errors:5 rx_packets:20 " +
			"tx_bytes:3100 tx_dropped:7 tx_errors:2 tx_fifo_errors:8 tx_packets:21]"
		if got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		if l.Links[1].Type != "loopback" {
			t.Errorf("%s: lo is of type %q", name, l.Links[1].Type)
		}
	}
}

// Old net-tools speaks the language of its user; an address that somebody took out costs no more than itself.
func TestIfconfigOfOtherLanguages(t *testing.T) {
	for name, text := range map[string]string{
		"French": "eth0      Link encap:Ethernet  HWaddr 02:00:00:00:00:0A  \n" +
			"          inet adr:192.0.2.7  Bcast:192.0.2.255  Masque:255.255.255.0\n" +
			"          adr inet6: fe80::1/64 Scope:Lien\n          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metric:1\n" +
			"          RX packets:5 errors:0 dropped:0 overruns:0 frame:0\n          collisions:0 lg file transmission:1000 \n",
		"German": "eth0      Link encap:Ethernet  Hardware Adresse 02:00:00:00:00:0A  \n" +
			"          inet Adresse:192.0.2.7  Bcast:192.0.2.255  Maske:255.255.255.0\n" +
			"          inet6-Adresse: fe80::1/64 Gültigkeitsbereich:Verbindung\n" +
			"          UP BROADCAST RUNNING MULTICAST  MTU:1500  Metrik:1\n" +
			"          RX packets:5 errors:0 dropped:0 overruns:0 frame:0\n          Kollisionen:0 Sendewarteschlangenlänge:1000 \n",
		"Spanish": "eth0      Link encap:Ethernet  direcciónHW 02:00:00:00:00:0A  \n" +
			"          Direc. inet:192.0.2.7  Difus.:192.0.2.255  Másc:255.255.255.0\n" +
			"          Dirección inet6: fe80::1/64 Alcance:Enlace\n          ACTIVO DIFUSIÓN FUNCIONANDO MULTICAST  MTU:1500  Métrica:1\n" +
			"          Paquetes RX:5 errores:0 perdidos:0 overruns:0 frame:0\n          colisiones:0 long.colaTX:1000 \n",
		"blanks lost": "eth0 Link encap:Ethernet HWaddr 02:00:00:00:00:0A\ninet addr:192.0.2.7 Bcast:192.0.2.255 Mask:255.255.255.0\n" +
			"inet6 addr: fe80::1/64 Scope:Link\nUP BROADCAST RUNNING MULTICAST MTU:1500 Metric:1\n" +
			"RX packets:5 errors:0 dropped:0 overruns:0 frame:0\ncollisions:0 txqueuelen:1000\n",
	} {
		l := ifconfig.Read(t, text)
		if len(l.Unknown) > 0 || len(l.Links) != 1 || len(l.Links[0].Addresses) != 2 {
			t.Errorf("%s: got %d devices, unknown %v; want 1 with two addresses", name, len(l.Links), l.Unknown)
			continue
		}
		e := l.Links[0]
		got := fmt.Sprint(e.MAC, " ", e.Has("UP"), e.Has("LOWER_UP"), " ", e.TxQueue, " ", e.Addresses[0].Local, "/", e.Addresses[0].Prefix,
			" ", e.Addresses[1].Scope, " ", e.Counted.Counters()["rx_packets"])
		const want = "02:00:00:00:00:0a true true 1000 192.0.2.7/24 link 5"
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	l := ifconfig.Read(t, strings.Replace(oldIfconfig, "HWaddr 02:00:00:00:00:0A", "HWaddr <the MAC of 'eth0' [1]>", 1))
	if len(l.Unknown) > 0 || len(l.Links) != 2 {
		t.Errorf("an address taken out: got %d devices, unknown %v; want 2 and none", len(l.Links), l.Unknown)
	}
}

// A device that the text breaks off in, before its MTU, is not read; of a number that was cut nothing is kept.
func TestIfconfigCut(t *testing.T) {
	cut, _, _ := strings.Cut(oldIfconfig, "RUNNING MULTICAST  MTU:9000")
	if l, err := iplink.ParseIfconfig([]byte(cut)); err == nil && len(l.Links) > 0 {
		t.Errorf("got %+v, want no device without its MTU", l.Links[0])
	}
	cut, _, _ = strings.Cut(newIfconfig, "00 (2.9 KiB)")
	if l := ifconfig.Read(t, cut); len(l.Unknown) != 1 || l.Links[0].Counted != nil {
		t.Errorf("got unknown %v and %v counted, want one line and nothing", l.Unknown, l.Links[0].Counted)
	}
}

func TestNetstatI(t *testing.T) {
	l := netstatI.Read(t, "Kernel Interface table\n"+
		"Iface      MTU    RX-OK RX-ERR RX-DRP RX-OVR    TX-OK TX-ERR TX-DRP TX-OVR Flg\n"+
		"eth0      1500      476      0     12      3      312      0      1      0 BMRU\n"+
		"eth0:1    1500      - no statistics available -                        BMRU\n"+
		"lo       65536        1      0      0      0        1      0      0      0 LRU\n")
	if len(l.Unknown) > 0 || len(l.Links) != 2 {
		t.Fatalf("got %d devices, unknown %v; want 2 and none", len(l.Links), l.Unknown)
	}
	e := l.Links[0]
	got := fmt.Sprint(e.Name, e.MTU, e.Flags, " ", e.Counted.Counters()["rx_dropped+missed"], e.Counted.Counters()["tx_packets"], l.Links[1].Type)
	if want := "eth01500[BROADCAST RUNNING UP LOWER_UP] 12 312loopback"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNetToolsGrowth(t *testing.T) {
	growth.Linear(t, 2000, func(n int) func() {
		var ifconfigs, netstats strings.Builder
		netstats.WriteString("Iface MTU RX-OK Flg\n")
		for i := range n {
			fmt.Fprintf(&ifconfigs, "eth%d: flags=4163<UP,RUNNING>  mtu 1500\n        RX packets 20  bytes 3000 (2.9 KiB)\n", i)
			fmt.Fprintf(&netstats, "eth%d 1500 1 BMRU\n", i)
		}
		return func() {
			if l, err := iplink.ParseIfconfig([]byte(ifconfigs.String())); err != nil || len(l.Links) != n {
				t.Fatal(err)
			}
			if l, err := iplink.ParseNetstat([]byte(netstats.String())); err != nil || len(l.Links) != n {
				t.Fatal(err)
			}
		}
	})
}

func FuzzParseIfconfig(f *testing.F) { ifconfig.Fuzz(f, newIfconfig, oldIfconfig) }

func FuzzParseNetstat(f *testing.F) {
	netstatI.Fuzz(f, "Iface MTU RX-OK Flg\neth0 1500 1 BMRU\n")
}
