package collect

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPolled(t *testing.T) {
	const adapters = "ent0 Available 00 Port\nent1 Available 01 Port\nent2 Available  Virtual I/O Ethernet Adapter (l-lan)\nent3 Available  x\n"
	for _, tc := range []struct {
		name, lsdev, ifconfig string
		attrs                 map[string]string
		ask, unused           []string
	}{
		{"plain", adapters, "en2: flags=1<UP>\n", nil, []string{"ent2"}, []string{"ent0", "ent1", "ent3"}},
		{"nothing configured", adapters, "lo0: flags=1<UP>\n", nil, nil, []string{"ent0", "ent1", "ent2", "ent3"}},
		{"interface that is down but configured", adapters, "en1: flags=0<BROADCAST>\n", nil, []string{"ent1"}, []string{"ent0", "ent2", "ent3"}},
		{"idle EtherChannel", adapters, "", map[string]string{"ent3": "adapter_names ent0,ent1 Adapters True\n"}, nil, []string{"ent0", "ent1", "ent2", "ent3"}},
		{"EtherChannel with an interface and a backup", adapters, "en3: flags=1<UP>\n",
			map[string]string{"ent3": "adapter_names  ent0 EtherChannel Adapters True\nbackup_adapter ent1 Backup Adapter True\n"}, []string{"ent3"}, []string{"ent2"}},
		{"SEA without an interface", adapters, "", map[string]string{"ent3": "real_adapter  ent0 Physical adapter True\nvirt_adapters ent2 List True\n"}, []string{"ent3"}, []string{"ent1"}},
		{"VLAN device: its base is asked too", adapters, "en3: flags=1<UP>\n", map[string]string{"ent3": "base_adapter ent1 VLAN Base Adapter True\nvlan_tag_id 5 VLAN Tag ID True\n"},
			[]string{"ent1", "ent3"}, []string{"ent0", "ent2"}},
		{"members that name each other", adapters, "en0: flags=1<UP>\n", map[string]string{"ent0": "adapter_names ent1 A True\n", "ent1": "adapter_names ent0 A True\n"},
			nil, []string{"ent2", "ent3"}},
		{"SEA that is only defined", strings.Replace(adapters, "ent3 Available", "ent3 Defined  ", 1), "en0: flags=1<UP>\n", nil, []string{"ent0"}, []string{"ent1", "ent2"}},
		{"netstat instead of ifconfig", adapters, "Name  Mtu   Network\nen2   1500  link#2\nen1*  1500  link#3\n", nil, []string{"ent1", "ent2"}, []string{"ent0", "ent3"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := readDevices([][]byte{[]byte(tc.lsdev)}, []byte(tc.ifconfig))
			for name, text := range tc.attrs {
				d.structure(name, []byte(text))
			}
			ask, unused := d.polled()
			slices.Sort(ask)
			if diff := cmp.Diff(tc.ask, ask); diff != "" {
				t.Errorf("asked, want -, got +\n%s", diff)
			}
			if diff := cmp.Diff(tc.unused, unused); diff != "" {
				t.Errorf("left alone, want -, got +\n%s", diff)
			}
		})
	}
}

func TestLeft(t *testing.T) {
	d := readDevices([][]byte{[]byte("ent0 Available 00 x\nent10 Available 00 x\nent7 Available  x\n")}, nil)
	d.structure("ent7", []byte("real_adapter  ent10 A True\nvirt_adapters ent0,ent5 B True\n"))
	for text, want := range map[string][]string{
		"ETHERNET STATISTICS (ent7) :\n":                                          {"ent10", "ent0"},
		"ETHERNET STATISTICS (ent7) :\nETHERNET STATISTICS (ent10) :\n":           {"ent0"},
		"ETHERNET STATISTICS (en10) :\nETHERNET STATISTICS (ent0) :\n":            nil,
		"entstat: 0909-003 Unable to connect to device ent7, errno = 46\nent10\n": {"ent10", "ent0"},
	} {
		if diff := cmp.Diff(want, d.left("ent7", []byte(text))); diff != "" {
			t.Errorf("%q: want -, got +\n%s", text, diff)
		}
	}
}

// A host whose attributes name adapters in a circle is asked for each once.
func TestDevicesInACircle(t *testing.T) {
	d := readDevices([][]byte{[]byte("ent1 Available Port\nent2 Available Port\nent7 Available Shared Ethernet Adapter\n")}, nil)
	d.structure("ent7", []byte("real_adapter ent1 A True\n"))
	d.structure("ent1", []byte("adapter_names ent2 A True\n"))
	d.structure("ent2", []byte("adapter_names ent1 A True\n"))
	if got := d.left("ent7", nil); !slices.Equal(got, []string{"ent1", "ent2"}) {
		t.Errorf("got %v, want ent1 and ent2", got)
	}
	if ask, _ := d.polled(); !slices.Equal(ask, []string{"ent7"}) {
		t.Errorf("asked: %v, want ent7, whose answer includes the others", ask)
	}
}

func FuzzDevices(f *testing.F) {
	f.Add("ent0 Available  Virtual I/O Ethernet Adapter (l-lan)\n", "en0: flags=1<UP>\n", "adapter_names ent1,ent2 A True\n")
	f.Add("name             status      description\nent0 Available x\n", "en0   1500\n", "base_adapter ent0 B True\n")
	f.Fuzz(func(t *testing.T, lsdev, ifconfig, attrs string) {
		d := readDevices([][]byte{[]byte(lsdev)}, []byte(ifconfig))
		for _, a := range d.adapters {
			d.structure(a, []byte(attrs))
		}
		ask, unused := d.polled()
		for _, n := range slices.Concat(ask, unused, d.interfaces, d.virtual) {
			if !device.MatchString(n) {
				t.Errorf("name %q got through", n)
			}
		}
		for _, a := range ask {
			d.left(a, []byte(ifconfig))
		}
	})
}
