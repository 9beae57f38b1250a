package virsh_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/virsh"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[virsh.Domains]{Parse: virsh.Parse, Report: func(d *virsh.Domains) *parse.Report { return &d.Report }}

// sample returns what libvirt 9.0.0 printed of two machines of its test driver.
func sample(tb testing.TB) string {
	tb.Helper()
	return file(tb, "dumpxml.xml")
}

func file(tb testing.TB, name string) string {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func TestParse(t *testing.T) {
	d := codec.Read(t, sample(t))
	var got []string
	for _, x := range d.Domains {
		got = append(got, fmt.Sprint(x.Line, " ", x.Name, " ", *x.Online()))
		for _, i := range x.Interfaces {
			got = append(got, fmt.Sprintf("%s %s %s %q %s %s%s", i.Type, i.MAC.Address, i.Target.Device, i.Source.Bridge, i.Model.Type,
				i.Driver.Name, i.Driver.Queues))
		}
	}
	want := []string{
		"1 db; reboot 2",
		`bridge 52:54:00:aa:00:01 vnet0 "br0" virtio vhost4`,
		`bridge 52:54:00:aa:00:02 vnet1 "ovsbr" e1000 `,
		`network 52:54:00:62:df:cb testnet2 "" virtio `,
		`user 52:54:00:6e:91:32 testnet3 "" virtio `,
		`direct 52:54:00:bb:68:87 macvtap0 "" virtio `,
		"55 web 1",
		`network 52:54:00:aa:00:11 vnet0 "" virtio `,
	}
	if diff := cmp.Diff(want, got); diff != "" || len(d.Unknown)+len(d.Warnings) > 0 {
		t.Errorf("unknown %v, warnings %v, domains (-want +got):\n%s", d.Unknown, d.Warnings, diff)
	}
}

// A machine that runs under KVM: libvirt names its tap devices, and fills in the model that
// was not configured.
func TestRunning(t *testing.T) {
	d := codec.Read(t, file(t, "kvm.xml"))
	var got []string
	for _, i := range d.Domains[0].Interfaces {
		got = append(got, fmt.Sprintf("%s %s %s%s", i.Target.Device, i.Model.Type, i.Driver.Name, i.Driver.Queues))
	}
	if diff := cmp.Diff([]string{"vnet0 virtio ", "vnet1 virtio qemu2", "vnet2 rtl8139 "}, got); diff != "" || *d.Domains[0].Online() != 2 {
		t.Errorf("%d CPUs, interfaces (-want +got):\n%s", *d.Domains[0].Online(), diff)
	}
	if len(d.Unknown)+len(d.Warnings) > 0 {
		t.Errorf("unknown %v, warnings %v, want neither", d.Unknown, d.Warnings)
	}
}

func TestOnline(t *testing.T) {
	for text, want := range map[string]string{
		"<vcpu>8</vcpu>":                         "8",
		"<vcpu current='2'>8</vcpu>":             "2",
		"<vcpu placement='static'>\n 4\n</vcpu>": "4",
		"<vcpu>many</vcpu>":                      "-",
		"<vcpu>0</vcpu>":                         "-",
		"":                                       "-",
	} {
		d := codec.Read(t, "<domain type='kvm'>\n<name>x</name>\n"+text+"\n</domain>\n")
		got := "-"
		if n := d.Domains[0].Online(); n != nil {
			got = fmt.Sprint(*n)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Networks stand alone, behind libvirt's comment as in its files, or among domains.
func TestNetworks(t *testing.T) {
	d := codec.Read(t, "<!--\nWARNING: made by libvirt\n-->\n\n<network>\n  <name>default</name>\n  <forward mode='nat'/>\n  <bridge name='virbr0' stp='on' delay='0'/>\n"+
		"</network>\n<domain type='kvm'>\n<name>x</name>\n</domain>\n  <network connections='2' ipv6='yes'>\n    <name>lan</name>\n    <bridge name=\"virbr1\"/>\n"+
		"    <mtu size='9000'/>\n  </network>\n<network>\n<name>old</name>\n<forward/>\n</network>\n<network>\n<name>host</name>\n<forward mode='bridge'/>\n<bridge name='br0'/>\n</network>\n")
	var got []string
	for _, n := range d.Networks {
		got = append(got, fmt.Sprint(n.Line, " ", n.Name, " ", n.Mode(), " ", n.Bridge.Name, n.MTU.Size, " ", n.Own()))
	}
	want := []string{"5 default nat virbr0 true", "13 lan isolated virbr19000 true", "18 old nat  false", "22 host bridge br0 false"}
	if diff := cmp.Diff(want, got); diff != "" || len(d.Domains) != 1 || len(d.Unknown) > 0 {
		t.Errorf("%d domains, unknown %v, networks (-want +got):\n%s", len(d.Domains), d.Unknown, diff)
	}
}

// What is damaged or between the domains is not understood, and the others are read.
func TestPartly(t *testing.T) {
	d := codec.Read(t, "saved\n<!-- here -->\n<domain type='kvm'>\n<name>a</nam>\n</domain>\n<domain type='kvm'>\n<name>b</name>\n</domain>\n<domain type='kvm'>\n<name>c</name>\n")
	if len(d.Domains) != 1 || d.Domains[0].Name != "b" || len(d.Unknown) != 6 {
		t.Errorf("got %d domains, unknown %v; want b alone and 6 lines", len(d.Domains), d.Unknown)
	}
}

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"", "error: failed to connect to the hypervisor\n", "<domain type='kvm'>\n", "<domain type='kvm'></domain>\n",
		"<network></network>\n", "<network>\n<name>default</name>\n"} {
		if _, err := virsh.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

func TestDamaged(t *testing.T) { codec.Damaged(t, sample(t)) }
func TestFast(t *testing.T)    { codec.Fast(t, sample(t)) }
func FuzzParse(f *testing.F) {
	// Short ones: the time goes into what follows from them.
	codec.Fuzz(f, "<domain type='kvm'>\n<name>x</name>\n<vcpu current='2'>4</vcpu>\n<devices><interface type='bridge'><mac address='a'/>"+
		"<target dev='t'/><driver queues='4'/></interface></devices>\n</domain>\n", "<domain >\n<name>x</name></domain>\n", "<domain type='kvm'><name>&#0;</name>\n</domain>\n",
		"<!--\n-->\n<network>\n<name>n</name>\n<forward/>\n<bridge name='b'/>\n<mtu size='9'/>\n</network>\n")
}
