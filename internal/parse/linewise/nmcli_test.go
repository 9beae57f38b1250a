package linewise

import (
	"errors"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var nmcliCodec = codectest.Codec[ConnectionList]{Parse: ParseNmcli, Report: func(c *ConnectionList) *parse.Report { return &c.Report }}

const nmcliSample = `nmcli tool, version 1.42.4
connection.id:lan\: first
connection.uuid:0c2b8b1c-5a9e-4c43-8d36-0d3f6a1f1c11
802-3-ethernet.mtu:9000
ethtool.feature-tso:on
GENERAL.DEVICES:eth0
connection.id:bond0
connection.uuid:7a1c1d0e-7d7c-4d57-8a35-6f0f2f0e6a22
802-3-ethernet.mtu:auto
bond.options:mode=802.3ad,miimon=100
GENERAL.DEVICES:bond0
`

func TestParseNmcli(t *testing.T) {
	c := nmcliCodec.Read(t, nmcliSample)
	if len(c.Unknown) != 0 || c.Version != "1.42.4" || len(c.Connections) != 2 {
		t.Fatalf("got version %q, %d connections, unknown %v; want 1.42.4, two and none", c.Version, len(c.Connections), c.Unknown)
	}
	lan, bond := c.Connections[0], c.Connections[1]
	if lan.ID() != "lan: first" || lan.Device() != "eth0" || lan.Properties["ethtool.feature-tso"] != "on" || lan.Line != 2 {
		t.Errorf("got %+v, want the connection of eth0 from line 2 on", lan)
	}
	if bond.UUID() != "7a1c1d0e-7d7c-4d57-8a35-6f0f2f0e6a22" || bond.Properties["802-3-ethernet.mtu"] != "auto" {
		t.Errorf("got %+v, want the bond's", bond)
	}
}

// Without -t values are aligned, and what is not set is two dashes.
func TestNmcliAligned(t *testing.T) {
	c := nmcliCodec.Read(t, "connection.id:                          ens33\n802-3-ethernet.mtu:                     auto\nbond.options:                           --\n"+
		"DHCP4.OPTION[1]:                        expiry = 1700000000\nGENERAL.DEVICES:                        ens33\n")
	p := c.Connections[0]
	if len(c.Unknown) > 0 || p.ID() != "ens33" || p.Device() != "ens33" || p.Properties["bond.options"] != "" || p.Properties["802-3-ethernet.mtu"] != "auto" {
		t.Errorf("got %+v, unknown %v", p, c.Unknown)
	}
}

func TestNmcliNotRecognised(t *testing.T) {
	for _, text := range []string{"", "Error: NetworkManager is not running.\n", "802-3-ethernet.mtu:9000\n", "nmcli tool, version 1.4"} {
		if _, err := ParseNmcli([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("Parse(%q): got %v, want ErrNotRecognised", text, err)
		}
	}
}

// Half a value is a wrong one.
func TestNmcliCutOff(t *testing.T) {
	c := nmcliCodec.Read(t, "connection.id:lan\n802-3-ethernet.mtu:90")
	if len(c.Unknown) != 1 || c.Connections[0].Properties["802-3-ethernet.mtu"] != "" {
		t.Errorf("got %+v, want that a last line without its end is not read", c)
	}
}
