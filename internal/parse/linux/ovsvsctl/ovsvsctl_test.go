package ovsvsctl_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/linux/ovsvsctl"
	"seaworthy/internal/test/codectest"
)

var codec = codectest.Codec[ovsvsctl.Switch]{Parse: ovsvsctl.Parse, Report: func(s *ovsvsctl.Switch) *parse.Report { return &s.Report }}

// sample returns what Open vSwitch 3.1.0 printed.
func sample(tb testing.TB, name string) string {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// ports are a line for each port, sorted by nothing: as printed.
func ports(s *ovsvsctl.Switch) map[string]string {
	out := map[string]string{}
	for _, b := range s.Bridges {
		for _, p := range b.Ports {
			line := ""
			if p.Tag != nil {
				line += fmt.Sprintf("tag %d ", *p.Tag)
			}
			line += fmt.Sprint(p.Trunks, p.BondMode, p.LACP)
			for _, i := range p.Interfaces {
				line += " " + i.Name + " " + i.Type + i.Peer + i.Remote
				if i.MTU != nil {
					line += fmt.Sprint(" ", *i.MTU)
				}
				if i.Up != nil {
					line += fmt.Sprint(" ", *i.Up)
				}
			}
			out[b.Name+" "+p.Name] = line
		}
	}
	return out
}

func TestTables(t *testing.T) {
	s := codec.Read(t, sample(t, "list.json"))
	if s.Version != "3.1.0" || s.Config["hw-offload"] != "true" || len(s.Unknown)+len(s.Warnings) > 0 {
		t.Errorf("got version %q, %v, unknown %v, warnings %v", s.Version, s.Config, s.Unknown, s.Warnings)
	}
	want := map[string]string{
		"br0 br0":          "[] br0 internal 1500 true",
		"br0 bond1":        "[]balance-tcpactive eno2  1500 true eno1  1500 true",
		"br0 ens7":         "[] ens7  1500 true",
		"br0 fake0":        "tag 300 [] fake0 internal 1500 true",
		"br0 mgmt0":        "tag 7 [] mgmt0 internal 1500 true",
		"br0 patch-tun":    "[] patch-tun patchpatch-int true",
		"br0 vnet0":        "tag 100 [] vnet0  1500 true",
		"br0 vnet1":        "[10 20 30] vnet1  9000 true",
		"br-tun br-tun":    "[] br-tun internal 1500 true",
		"br-tun patch-int": "[] patch-int patchpatch-tun true",
		"br-tun vxlan0":    "[] vxlan0 vxlan192.0.2.7 true",
	}
	if diff := cmp.Diff(want, ports(s)); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
}

// The text says the same of everything but MTU, link and bonds.
func TestShow(t *testing.T) {
	s := codec.Read(t, sample(t, "show.txt"))
	if s.Version != "3.1.0" || s.Config != nil || len(s.Unknown)+len(s.Warnings) > 0 {
		t.Errorf("got version %q, %v, unknown %v, warnings %v", s.Version, s.Config, s.Unknown, s.Warnings)
	}
	want := map[string]string{
		"br0 br0":          "[] br0 internal",
		"br0 bond1":        "[] eno2  eno1 ",
		"br0 ens7":         "[] ens7 ",
		"br0 fake0":        "tag 300 [] fake0 internal",
		"br0 mgmt0":        "tag 7 [] mgmt0 internal",
		"br0 patch-tun":    "[] patch-tun patchpatch-int",
		"br0 vnet0":        "tag 100 [] vnet0 ",
		"br0 vnet1":        "[10 20 30] vnet1 ",
		"br-tun br-tun":    "[] br-tun internal",
		"br-tun patch-int": "[] patch-int patchpatch-tun",
		"br-tun vxlan0":    "[] vxlan0 vxlan192.0.2.7",
	}
	if diff := cmp.Diff(want, ports(s)); diff != "" {
		t.Errorf("ports (-want +got):\n%s", diff)
	}
	if n := strings.Count(sample(t, "show.txt"), "\n"); s.Lines != n {
		t.Errorf("got %d lines, want %d", s.Lines, n)
	}
}

// A bridge with one port, and all columns that list prints without --columns.
func TestForms(t *testing.T) {
	s := codec.Read(t, `{"headings":["_uuid","name","ports","stp_enable"],"data":[[["uuid","b"],"br0",["uuid","p"],false]]}`+"\n"+
		`{"data":[[["uuid","p"],"br0",["uuid","i"],["set",[]],10]],"headings":["_uuid","name","interfaces","tag","trunks"]}`+"\n"+
		`{"data":[[["uuid","i"],"br0","dpdk",["set",[]],100000000000,"could not open"]],"headings":["_uuid","name","type","link_state","link_speed","error"]}`+"\n")
	p := s.Bridges[0].Ports[0]
	i := p.Interfaces[0]
	if p.Tag != nil || len(p.Trunks) != 1 || i.Up != nil || *i.Speed != 100e9 || i.Error != "could not open" || s.Config != nil {
		t.Errorf("got %+v, %+v", p, i)
	}
}

// A row that is named again and again, or is not there, does not multiply.
func TestRowsAreOfOneParent(t *testing.T) {
	u := strings.TrimSuffix(strings.Repeat(`["uuid","p"],`, 1000), ",")
	s := codec.Read(t, `{"data":[["br0",["set",[`+u+`]]],["br1",["uuid","p"]]],"headings":["name","ports"]}`+"\n"+
		`{"data":[[["uuid","p"],"x",["uuid","gone"]]],"headings":["_uuid","name","interfaces"]}`+"\n")
	if len(s.Bridges) != 2 || len(s.Bridges[0].Ports) != 1 || len(s.Bridges[1].Ports) != 0 || len(s.Warnings) != 1001 {
		t.Errorf("got %d ports and %d, %d warnings", len(s.Bridges[0].Ports), len(s.Bridges[1].Ports), len(s.Warnings))
	}
}

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"", "{}\n", `{"data":[],"headings":["name"]}` + "\n", "ovs-vsctl: unix:/var/run/openvswitch/db.sock: database connection failed ()\n",
		`{"data":[["br0"]],"headings":["name","ports"]}` + "\n", "    Port eth0\n"} {
		if s, err := ovsvsctl.Parse([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %+v, %v, want ErrNotRecognised", text, s, err)
		}
	}
}

func TestCorpus(t *testing.T) {
	for _, file := range codectest.Files(t, "linux/ovs_vsctl/*show*") {
		s := codec.Read(t, codectest.Text(t, file))
		if len(s.Unknown) > 0 || len(s.Bridges) == 0 || s.Version == "" {
			t.Errorf("%s: %d bridges, version %q, not understood: %v", file, len(s.Bridges), s.Version, s.Unknown)
		}
	}
}

func TestDamaged(t *testing.T) {
	codec.Damaged(t, sample(t, "list.json"))
	codec.Damaged(t, sample(t, "show.txt"))
}

func TestFast(t *testing.T) {
	codec.Fast(t, sample(t, "list.json"))
	codec.Fast(t, sample(t, "show.txt"))
}

func FuzzParse(f *testing.F) {
	// Short ones: the time goes into what follows from them.
	codec.Fuzz(f, `{"data":[["b",["uuid","p"]]],"headings":["name","ports"]}`+"\n"+`{"data":[[["uuid","p"],["set",[["uuid","i"]]],7]],"headings":`+
		`["_uuid","interfaces","tag"]}`+"\n", "    Bridge b\n        Port p\n            tag: 1\n            trunks: [1, 2]\n            Interface i\n"+
		"                options: {peer=x}\n", `{"data":[[["set",[["map",[[1]]]]]]],"headings":["ports"]}`)
}
