package redact

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/linux/ovsvsctl"
	"seaworthy/internal/parse/linux/virsh"
	"seaworthy/internal/parse/registry"
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
)

func testKey(t testing.TB) Key {
	t.Helper()
	k, err := NewKey([]byte("a key for tests, nothing else"))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestAddressesKeepTheirSubnets(t *testing.T) {
	k := testKey(t)
	seen := map[netip.Addr]netip.Addr{}
	var all []netip.Addr
	for _, s := range []string{"10.1.0.5", "10.1.3.9", "10.1.3.10", "10.1.4.1", "10.200.4.1", "192.168.1.1", "192.168.1.2", "172.16.0.1", "169.10.0.1", "169.253.0.1", "8.8.8.8", "223.1.1.1",
		"2001:db8::1", "2001:db8::2", "2001:db8:1::1", "fd00::1", "fe80::f8c2:11ff:fe4c:2002"} {
		a := netip.MustParseAddr(s)
		b := k.Addr(a)
		if b == a || b.Is4() != a.Is4() || b.IsLoopback() || b.IsMulticast() || b.IsUnspecified() || b.IsLinkLocalUnicast() != a.IsLinkLocalUnicast() {
			t.Errorf("%s: got %s, want another unicast address of its kind", a, b)
		}
		if was, ok := seen[b]; ok {
			t.Errorf("%s and %s both become %s", a, was, b)
		}
		seen[b] = a
		all = append(all, a)
	}
	for _, a := range all {
		for _, b := range all {
			if a.Is4() != b.Is4() {
				continue
			}
			least := 8
			if a.Is6() {
				least = 16
			}
			for n := least; n <= a.BitLen(); n++ {
				before := netip.PrefixFrom(a, n).Masked() == netip.PrefixFrom(b, n).Masked()
				after := netip.PrefixFrom(k.Addr(a), n).Masked() == netip.PrefixFrom(k.Addr(b), n).Masked()
				if before != after {
					t.Errorf("%s and %s share %d bits: %v before, %v after", a, b, n, before, after)
				}
			}
		}
	}
	for _, s := range []string{"127.0.0.1", "0.0.0.0", "255.255.255.0", "255.255.252.0", "255.255.255.255", "224.0.0.1", "169.254.3.4", "::", "::1", "ff02::1"} {
		if a := netip.MustParseAddr(s); k.Addr(a) != a {
			t.Errorf("%s: got %s, want it unchanged", a, k.Addr(a))
		}
	}
	if p := netip.MustParsePrefix("10.1.0.0/22"); k.Prefix(p) != k.Prefix(p).Masked() || k.Prefix(p).Bits() != 22 {
		t.Errorf("network %s: got %s, want a network of 22 bits", p, k.Prefix(p))
	}
}

func TestFirstOctetsStayApart(t *testing.T) {
	k := testKey(t)
	seen := map[byte]int{}
	for b := range 256 {
		got := k.firstOctet(byte(b))
		if was, ok := seen[got]; ok {
			t.Errorf("%d and %d both become %d", was, b, got)
		}
		seen[got] = b
	}
}

func TestOtherKeyOtherNames(t *testing.T) {
	a := testKey(t)
	b, err := NewKey([]byte("another key for the tests"))
	if err != nil {
		t.Fatal(err)
	}
	if a.Name("lpar1") == b.Name("lpar1") || a.Serial("214D2E4") == b.Serial("214D2E4") || a.Addr(netip.MustParseAddr("10.1.1.1")) == b.Addr(netip.MustParseAddr("10.1.1.1")) {
		t.Error("two keys give the same replacement")
	}
	if a.Name("lpar1") != a.Name("LPAR1") || !strings.HasPrefix(a.Name("lpar1.example.com"), a.Name("lpar1")+".") {
		t.Errorf("one host under its three names: %s %s %s", a.Name("lpar1"), a.Name("LPAR1"), a.Name("lpar1.example.com"))
	}
	if s := a.Serial("02214D2E4"); !strings.HasPrefix(s, "02") || s[2:] != a.Serial("214D2E4") || len(s) != 9 {
		t.Errorf("serial with its plant: got %s, want 02 and %s", s, a.Serial("214D2E4"))
	}
}

// Each text and what must be left of it, and gone from it.
func TestTexts(t *testing.T) {
	for name, c := range map[string]struct {
		id, text   string
		gone, stay []string
	}{
		"ifconfig": {"ifconfig-a", "en0: flags=1e084863,480<UP,BROADCAST>\n        inet 10.1.3.11 netmask 0xffffff00 broadcast 10.1.3.255\n        inet6 2001:db8::11/64\n         tcp_sendspace 262144 tcp_recvspace 262144 rfc1323 1\nlo0: flags=e08084b<UP>\n        inet 127.0.0.1 netmask 0xff000000\n        inet6 ::1%1/0\n",
			[]string{"10.1.3", "2001:db8"}, []string{"0xffffff00", "127.0.0.1", "::1%1/0", "tcp_sendspace 262144", "e084863,480"}},
		"netstat -in": {"netstat-in", "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  link#2      fa.c2.11.4c.20.2  8123041     0  7901144     3     0\nen0   1500  10.1.3      10.1.3.11         8123041     0  7901144     3     0\nlo0   16896 127         127.0.0.1           52120     0    52120     0     0\n",
			[]string{"fa.c2.11", "10.1.3"}, []string{"link#2", "8123041     0  7901144     3     0", "127         127.0.0.1"}},
		"netstat -rn": {"netstat-rn", "default            10.1.3.1          UG        1     12696 en0      -      -\n10.1.3.0           10.1.3.11         UHSb      0         0 en0      -      -   =>\n10.1.3/24          10.1.3.11         U         0       639 en0      -      -\n10/8               10.1.3.254        UGS      17   1137090 en1      -      -\n127/8              127.0.0.1         U         9     60244 lo0      -      -\n",
			[]string{"10.1.3", "10/8"}, []string{"default", "127/8", "12696", "/24", "/8 "}},
		"uname of Linux": {"uname-a", "Linux lpar1 5.14.0-70.el9.ppc64le #1 SMP ppc64le ppc64le GNU/Linux\n", []string{"lpar1"}, []string{"5.14.0-70", "ppc64le"}},
		"levels":         {"", "ioslevel 3.1.4.21\nbos.net.tcp.client_core 7.2.5.101\nAIX level 7.2.0.0 gateway 7.8.9.10\n", []string{"7.8.9.10"}, []string{"3.1.4.21", "7.2.5.101", "7.2.0.0"}},
		"entstat":        {"entstat-d", "ETHERNET STATISTICS (ent0) :\nDevice Type: Virtual I/O Ethernet Adapter (l-lan)\nHardware Address: fa:c2:11:4c:20:02\nTransmit Statistics:                          Receive Statistics:\n--------------------                          -------------------\nPackets: 1                                    Packets: 2\nBytes: 197466219261                           Bytes: 5\nPartner system: 00-00-00-00-00-00\nActor System: B8-E9-24-E2-A0-A4\n", []string{"fa:c2", "B8-E9"}, []string{"197466219261", "00-00-00-00-00-00"}},
		"lscfg":          {"lscfg", "  ent0  U78D3.001.WZS0AB2-P1-C3-T1  4-Port Adapter (e4148a16)\n        Network Address.............00215E4CC768\n        Serial Number...............1A845003E4\n        Part Number.................00E2873\n", []string{"WZS0AB2", "00215E4CC768", "1A845003E4"}, []string{"U78D3.001.", "-P1-C3-T1", "e4148a16", "00E2873"}},
		"prtconf":        {"prtconf", "System Model: IBM,9009-22A\nMachine Serial Number: 214D2E4\nNetwork Information\n\tHost Name: lpar1.example.com\n\tIP Address: 10.1.3.11\n\tSub Netmask: 255.255.255.0\n\tGateway: 10.1.3.1\n", []string{"214D2E4", "lpar1", "example.com", "10.1.3"}, []string{"IBM,9009-22A", "255.255.255.0"}},
		"lshwres":        {"hmc-lshwres-eth", "lpar_name=lpar1,lpar_id=2,port_vlan_id=6,mac_addr=26E6B0002006\nlpar_name=dump,lpar_id=1,port_vlan_id=1,mac_addr=26E6B0001002\n", []string{"lpar1,", "dump", "26E6B0002006"}, []string{"lpar_id=2", "port_vlan_id=6"}},
		"names in names": {"", "lpar1-backup LPAR1, xlpar1 lpar10 host lpar1.example.com:/x\nNode Name : lpar1\n", []string{"lpar1-", "LPAR1,", "lpar1.example", "example.com", "xlpar1", "lpar10"}, []string{"-backup", "host", ":/x"}},
		"prose": {"errpt-a", "Machine 9009 with serial 7812345 (S/N: 06123456, serial number is 5512347) failed\n7812345 again, 5512348 times, customer 440012 at 12345 MHz\n",
			[]string{"7812345", "06123456", "5512347", "5512348", "440012"}, []string{"9009", "12345 MHz", " times, "}},
		"WWN": {"fcstat", "World Wide Node Name: 0x200000109B5ADA85\nport 5005076401234567 of 7c5e1f0a-9b2d-4c3e-8f10-123456789012\n", []string{"200000109B5ADA85", "5005076401234567", "7c5e1f0a", "4c3e", "123456789012"}, []string{"0x", "port "}},
	} {
		t.Run(name, func(t *testing.T) {
			r := New(testKey(t))
			r.Learn([]byte(c.text))
			got := string(r.Output(c.id, "", []byte(c.text)))
			for _, s := range c.gone {
				if strings.Contains(strings.ToLower(got), strings.ToLower(s)) {
					t.Errorf("%q is still there:\n%s", s, got)
				}
			}
			for _, s := range c.stay {
				if !strings.Contains(got, s) {
					t.Errorf("%q is gone:\n%s", s, got)
				}
			}
			if strings.Count(got, "\n") != strings.Count(c.text, "\n") {
				t.Errorf("lines: got %d, want %d", strings.Count(got, "\n"), strings.Count(c.text, "\n"))
			}
		})
	}
}

// A longer address must not run into the description beside it.
func TestColumns(t *testing.T) {
	const rows = "mtu     1500 Maximum IP Packet Size for This Device True\nalias4       IPv4 Alias including Subnet Mask       True\n" +
		"netaddr 9.8.7.6   Internet Address                  True\nlsattr: 0514-519 no such device 9.8.7.6\n"
	const padded = "mtu     1500    Maximum IP Packet Size for This Device True\nalias4          IPv4 Alias including Subnet Mask       True\n" +
		"netaddr 9.8.7.6 Internet Address                       True\nlsattr: 0514-519 no such device 9.8.7.6\n"
	address := testKey(t).Addr(netip.MustParseAddr("9.8.7.6")).String()
	for name, text := range map[string]string{
		"no heading": padded, "heading": "attribute value   description                            user_settable\n\n" +
			strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(padded, "mtu     ", "mtu       "), "alias4  ", "alias4    "), "netaddr ", "netaddr   "),
		"no columns": rows, "CRLF": strings.ReplaceAll(padded, "\n", "\r\n"),
	} {
		out := New(testKey(t)).Output("lsattr-El", "", []byte(text))
		l, err := lsattr.Parse(out)
		if err != nil {
			t.Fatal(err)
		}
		for attribute, w := range map[string]string{"mtu": "1500", "netaddr": address, "alias4": ""} {
			if got, ok := l.Value(attribute); !ok || got != w {
				t.Errorf("%s: %s: got %q, want %q in\n%s", name, attribute, got, w, out)
			}
		}
		if strings.Contains(string(out), "9.8.7.6") || strings.Count(string(out), "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: the address is still there, or a line is not:\n%s", name, out)
		}
	}
}

func TestLoadKey(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "key")
	a, err := LoadKey(file, filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("key file: got %v %v, want mode 0600", st.Mode(), err)
	}
	b, err := LoadKey(file, filepath.Join(dir, "out"))
	if err != nil || cmp.Diff(a.secret, b.secret) != "" {
		t.Errorf("read again: got another key, or %v", err)
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, want string }{
		"readable by others": {file, "can be read by others"},
		"inside the folder":  {filepath.Join(dir, "out", "key"), "keep it elsewhere"},
	} {
		if _, err := LoadKey(c.file, filepath.Join(dir, "out")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want one with %q", name, err, c.want)
		}
	}
}

// A manifest holds names too.
func TestFolder(t *testing.T) {
	src, dst := t.TempDir(), t.TempDir()
	w, err := collect.NewWriter(src, collect.Manifest{Host: "lpar1", Platform: "aix", User: "alice", Gaps: []model.Gap{{What: "lpar1 ent0", Why: "10.1.3.11 did not answer"}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []struct{ id, line, text string }{
		{"uname-a", "uname -a", "AIX lpar1 2 7 00C8D2E44C00\n"},
		{"uname-m", "uname -m", "00C8D2E44C00\n"},
		{"ifconfig-a", "ifconfig -a", "en0: flags=1e084863,480<UP>\n        inet 10.1.3.11 netmask 0xffffff00\n"},
	} {
		if err := w.Add(collect.Record{ID: o.id, Line: o.line, From: "/home/alice/lpar1/x:1"}, []byte(o.text), []byte("lpar1: warning\n")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := Folder(context.Background(), src, dst, testKey(t), false)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"lpar1": testKey(t).Name("lpar1")}; cmp.Diff(want, got.Hosts) != "" {
		t.Errorf("hosts: got %v, want %v", got.Hosts, want)
	}
	if bad := Left(t, dst, "lpar1", "alice", "10.1.3.11", "00C8D2E44C00", "C8D2E4"); len(bad) > 0 {
		t.Errorf("left in the copy: %v", bad)
	}
}

// Whatever says that it is a secret or not: no file of a copy holds one.
func TestSecretsAreGone(t *testing.T) {
	src, dst := t.TempDir(), t.TempDir()
	secrets := strings.Fields(`7c5e1f0a-9b2d-4c3e-8f10-aabbccddeeff c050760a1b2c0012 5005076401234567 jsmith@payroll.acmebank.com jsmith acmebank
		06F4A2B 78123AB YL10213 7812399 5512345 5005076401239999 c1d2e3f4-1111-4222-8333-444455556666 erpclient 78AB123 berlin-web hmcadm
		circuit-4711 gateway-muc.acmebank.com frankfurt-core sapdb 10.44.7.19 2001:db8:77::5 00145ef0aa17 00:14:5e:f0:aa:17 prodbond`)
	texts := map[string]string{
		"netstat-rn": "default            gateway-muc.acmebank.com UG        1     12696 en0      -      -\nsapdb              10.44.7.19        UGH       1     12696 en0      -      -\n",
		"netstat-in": "Name  Mtu   Network     Address            Ipkts Ierrs    Opkts Oerrs  Coll\nen0   1500  10.44.7     sapdb              8123041     0  7901144     3     0\n",
		"errpt":      "IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION\nA6DF45AA   1122010126 I O frankfurt-core The daemon is started by jsmith@payroll.acmebank.com\n",
		"lscfg": "  fcs0  U78D3.001.WZS0AB2-P1-C3-T1  FC Adapter\n        Serial Number...............YL10213\n        Network Address.............c050760a1b2c0012\n" +
			"  World Wide Port Name: 0x5005076401234567 note of jsmith: replaced 06F4A2B after a call\n",
		"lparstat-i": "Node Name                                  : sapdb\nPartition UUID : 7c5e1f0a-9b2d-4c3e-8f10-aabbccddeeff\nMachine Serial Number: 78123AB\n",
		"ip-addr":    "2: prodbond: <UP> mtu 1500\n    link/ether 00:14:5e:f0:aa:17 brd ff:ff:ff:ff:ff:ff\n    inet6 2001:db8:77::5/64 scope global\n",
		"errpt-a": "---------------------------------------------------------------------------\nLABEL:          ECH_CHAN_FAIL\nIDENTIFIER:     F3846E13\n\n" +
			"Date/Time:       Sun Nov 22 17:00:00 UTC 2026\nSequence Number: 12\nMachine Id:      00C8D2E44C00\nNode Id:         sapdb\n" +
			"Description\nETHERCHANNEL FAILOVER\n\nDetail Data\nreported by hmcadm: machine 7812399, part of 5512345\n",
		"netstat-an": "Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)\ntcp4       0      0  10.44.7.19.22          berlin-web.acmebank.com.4711  ESTABLISHED\n",
		"lsmap": "SVSA            Physloc                                      Client Partition ID\n--------------- -------------------------------------------- ------------------\n" +
			"vhost0          U9009.22A.78AB123-V1-C11                     0x00000003\n\nVTD                   erpclient_root\nBacking device        erpclient\n",
		"hmc-lssyscfg-lpar": "name=erpclient,lpar_id=3,lpar_env=aixlinux,uuid=c1d2e3f4-1111-4222-8333-444455556666,wwpns=5005076401239999\n",
		"ip-addr-text": "2: eth0: <BROADCAST,UP> mtu 1500 qdisc mq state UP group default qlen 1000\n    link/ether 00:14:5e:f0:aa:17 brd ff:ff:ff:ff:ff:ff\n" +
			"    alias circuit-4711 7812399\n",
		"lsnports": "sys0!system:78123AB jsmith 00145ef0aa17\n", // no codec: left out
	}
	w, err := collect.NewWriter(src, collect.Manifest{Host: "sapdb", Platform: "aix", User: "jsmith", Error: "jsmith@10.44.7.19: lost"}, false)
	if err != nil {
		t.Fatal(err)
	}
	for id, text := range texts {
		record := collect.Record{ID: id, Line: id + " sapdb"}
		if id == "ip-addr" {
			record.Element = "prodbond"
		}
		if err := w.Add(record, []byte(text), []byte("ksh: /home/jsmith/.profile: not found\n")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if bad := Left(t, src, secrets...); len(bad) < len(secrets) {
		t.Fatalf("the original holds only %v: the test would prove nothing", bad)
	}
	got, err := Folder(context.Background(), src, dst, testKey(t), false)
	if err != nil {
		t.Fatal(err)
	}
	if bad := Left(t, dst, secrets...); len(bad) > 0 {
		t.Errorf("left in the copy: %v", bad)
	}
	if want := []string{"errpt-a", "lsnports"}; cmp.Diff(want, got.LeftOut) != "" {
		t.Errorf("left out: got %v, want %v", got.LeftOut, want)
	}
}

// Real outputs are read as well redacted as they are.
func TestCorpus(t *testing.T) {
	read := 0
	files := draw.OneIn(t, 4, codectest.Files(t, "*/*.txt"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := detect.Text(text, detect.Hint{})
		if !ok || !f.Known {
			continue
		}
		r := New(testKey(t))
		r.Learn(text)
		got, err := registry.Find(f.ID).Parse(r.Output(f.ID, f.Command, text), f.Command)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if unknown := got.Reading().Unknown; len(unknown) > len(f.Report.Unknown) {
			t.Errorf("%s: %d lines not understood, %d before: %v", file, len(unknown), len(f.Report.Unknown), unknown[0])
		}
		read++
	}
	if read*2 < len(files) {
		t.Errorf("only %d of %d real outputs were read: the test would prove little", read, len(files))
	}
}

// Left lists the words that are left in any byte below a folder, file names too.
func Left(t *testing.T, dir string, words ...string) []string {
	t.Helper()
	var bad []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text := strings.ToLower(strings.TrimPrefix(path, dir))
		if !d.IsDir() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += strings.ToLower(string(b))
		}
		for _, w := range words {
			if strings.Contains(text, strings.ToLower(w)) {
				bad = append(bad, w+" in "+path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return bad
}

// Whatever the text, nothing panics, lines stay lines, and what is learned is
// gone.
func FuzzText(f *testing.F) {
	for _, s := range []string{"AIX lpar1 2 7 00C8D2E44C00\n", "en0   1500  10.1.3      10.1.3.11\n", "::ffff:10.1.2.3/96 fe80::1%en0\n", "\xff\xfe 1.2.3.4.5.6 0x0011223344556677\n"} {
		f.Add("netstat-in", []byte(s))
		f.Add("", []byte(s))
		f.Add("lsattr-El", []byte(s))
	}
	k := testKey(f)
	f.Fuzz(func(t *testing.T, id string, text []byte) {
		r := New(k)
		r.Learn(text)
		got := r.Output(id, "", text)
		if a, b := strings.Count(string(got), "\n"), strings.Count(string(text), "\n"); a != b {
			t.Errorf("lines: got %d, want %d: %q", a, b, got)
		}
	})
}

// Lists of an HMC without the names of their columns, and clients in lsmap: what
// is a name stands only above the values, or in the command line.
func TestLists(t *testing.T) {
	r := New(testKey(t))
	command := "lshwres -r virtualio --rsubtype eth -m Server-9009-22A-SN78123AB -F lpar_name,slot_num,mac_addr"
	texts := map[string]string{
		"hmc-lshwres-eth":  "db9,2,FA163EAABB99\nprod-erp,3,FA163EAABB98\n",
		"hmc-lssyscfg-sys": "name=Server-9009-22A-SN78123AB,type_model=9009-22A,serial_num=78123AB,state=Operating\n",
		"hmc-lshwres-vnic": "lpar_name=db9,lpar_id=3,mac_addr=FA163EAABB97,backing_devices=sriov/viosleft/1/1/0/27004001/2.0\n",
		"lsmap": "Name          Physloc                            ClntID ClntName       ClntOS\n------------- ---------------------------------- ------ -------------- -------\n" +
			"vnicserver0   U9080.M9S.78123AB-V1-C32897             3 payroll        AIX\n\nBacking device:ent4\n",
		"lscfg": "  ent0             U9009.22A.78123AB-V3-C2-T1  Virtual I/O Ethernet Adapter (l-lan)\n\n        Manufacture ID.............. FA163EAABB99\n",
	}
	line := func(id string) string {
		if id == "hmc-lshwres-eth" {
			return command
		}
		return id
	}
	for id, text := range texts {
		r.Learn([]byte(text))
		r.Learn([]byte(line(id)))
		r.table(&collect.Record{ID: id, Line: line(id)}, []byte(text))
	}
	all := r.String(command)
	for id, text := range texts {
		all += string(r.Text(id, []byte(text)))
	}
	for _, secret := range []string{"db9", "prod-erp", "AABB99", "AABB98", "AABB97", "78123AB", "viosleft", "payroll"} {
		if strings.Contains(strings.ToLower(all), strings.ToLower(secret)) {
			t.Errorf("%s is still there:\n%s", secret, all)
		}
	}
	if a, b := r.Text("hmc-lshwres-eth", []byte("x,2,FA163EAABB99\n")), r.Text("entstat-d", []byte("fa:16:3e:aa:bb:99")); !strings.Contains(string(a), strings.ToUpper(strings.ReplaceAll(string(b), ":", ""))) {
		t.Errorf("one MAC address became two: %s and %s", a, b)
	}
}

// Of virtual machines and Open vSwitch names go, and what rules ask for stays.
func TestVirtualMachines(t *testing.T) {
	r := New(testKey(t))
	in := "<domain type='kvm' id='7'>\n  <name>backup</name>\n  <title>of Meyer</title>\n  <vcpu placement='static' current='2'>4</vcpu>\n  <devices>\n" +
		"    <interface type='bridge'>\n      <mac address='52:54:00:aa:00:01'/>\n      <source bridge='br0'/>\n      <target dev='vnet3'/>\n" +
		"      <model type='virtio'/>\n      <driver name='qemu' queues='4'/>\n    </interface>\n  </devices>\n</domain>\n"
	out := string(r.Output("virsh-dumpxml", "", []byte(in)))
	v, err := virsh.Parse([]byte(out))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d := v.Domains[0]
	i := d.Interfaces[0]
	got := fmt.Sprint(*d.Online(), i.Source, i.Target, i.Model, i.Driver)
	if got != "2 {br0} {vnet3} {virtio} {qemu 4}" || d.Name == "backup" || i.MAC.Address == "52:54:00:aa:00:01" || strings.Contains(out, "Meyer") {
		t.Errorf("got %s of\n%s", got, out)
	}
	out = string(r.Output("ovs-vsctl-list", "", []byte(`{"data":[["3.1.0",["map",[["hw-offload","true"],["hostname","secret1"]]]]],"headings":["ovs_version","other_config"]}`+"\n"+
		`{"data":[["br0",["uuid","3bcc2e5c-59f6-4f56-b88f-7f5c4fa2f660"]]],"headings":["name","ports"]}`+"\n"+
		`{"data":[[["uuid","3bcc2e5c-59f6-4f56-b88f-7f5c4fa2f660"],"vnet0",["set",[]],100,"balance-tcp"]],"headings":["_uuid","name","interfaces","tag","bond_mode"]}`+"\n")))
	s, err := ovsvsctl.Parse([]byte(out))
	if err != nil || len(s.Bridges) != 1 || len(s.Bridges[0].Ports) != 1 || s.Config["hw-offload"] != "true" || s.Version != "3.1.0" ||
		strings.Contains(out, "secret") || *s.Bridges[0].Ports[0].Tag != 100 {
		t.Errorf("got %+v, %v of\n%s", s, err, out)
	}
}
