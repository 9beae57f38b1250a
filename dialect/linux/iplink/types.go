package iplink

import (
	"slices"

	"seaworthy/dialect"
)

// Links is the output of ip -j link or ip -j addr.
type Links struct {
	dialect.Report
	Links []*Link
}

// Link is one network device. Members that this level of ip does not print,
// or prints only with -d or -s, are nil or empty.
type Link struct {
	Index     int        `json:"ifindex,omitempty"`
	Name      string     `json:"ifname,omitempty"`
	Flags     []string   `json:"flags"` // UP, LOWER_UP, NO-CARRIER, ...
	MTU       *uint64    `json:"mtu,omitempty"`
	QDisc     string     `json:"qdisc,omitempty"`
	Master    string     `json:"master,omitempty"`    // bridge or bond the device belongs to
	Base      string     `json:"link,omitempty"`      // device below a VLAN or macvlan
	State     string     `json:"operstate,omitempty"` // UP, DOWN, LOWERLAYERDOWN, UNKNOWN
	TxQueue   *uint64    `json:"txqlen,omitempty"`    // packets
	Type      string     `json:"link_type,omitempty"` // ether, loopback
	MAC       string     `json:"address,omitempty"`
	MinMTU    *uint64    `json:"min_mtu,omitempty"`
	MaxMTU    *uint64    `json:"max_mtu,omitempty"`
	TxQueues  *uint64    `json:"num_tx_queues,omitempty"`
	RxQueues  *uint64    `json:"num_rx_queues,omitempty"`
	GSOSize   *uint64    `json:"gso_max_size,omitempty"` // bytes
	GSOSegs   *uint64    `json:"gso_max_segs,omitempty"`
	TSOSize   *uint64    `json:"tso_max_size,omitempty"` // bytes
	GROSize   *uint64    `json:"gro_max_size,omitempty"` // bytes
	Bus       string     `json:"parentbus,omitempty"`
	BusDevice string     `json:"parentdev,omitempty"`
	Info      *Info      `json:"linkinfo,omitempty"`
	Addresses []*Address `json:"addr_info,omitempty"`
	Stats     *Stats     `json:"stats64,omitempty"`
	rest      members
}

// Info is what -d says about a device of a special kind.
type Info struct {
	Kind      string `json:"info_kind,omitempty"` // vlan, bridge, bond, veth, ...
	Data      *Data  `json:"info_data,omitempty"`
	SlaveKind string `json:"info_slave_kind,omitempty"` // bridge, bond
	rest      members
}

// Data are the attributes of a kind; the typed ones are those of vlan and bond.
type Data struct {
	VLAN     *uint64 `json:"id,omitempty"`
	Protocol string  `json:"protocol,omitempty"` // 802.1Q
	Mode     string  `json:"mode,omitempty"`     // bond: 802.3ad, active-backup
	Hash     string  `json:"xmit_hash_policy,omitempty"`
	LACPRate string  `json:"ad_lacp_rate,omitempty"`
	Active   string  `json:"active_slave,omitempty"`
	MIIMon   *uint64 `json:"miimon,omitempty"` // bond: milliseconds between looks at the links
	rest     members
}

// Address is one address of a device.
type Address struct {
	Family    string `json:"family,omitempty"` // inet, inet6
	Local     string `json:"local,omitempty"`
	Prefix    int    `json:"prefixlen,omitempty"`
	Broadcast string `json:"broadcast,omitempty"`
	Scope     string `json:"scope,omitempty"` // global, link, host
	Label     string `json:"label,omitempty"`
	rest      members
}

// Stats are the device's counters (ip -s).
type Stats struct {
	Rx   *Counters `json:"rx,omitempty"`
	Tx   *Counters `json:"tx,omitempty"`
	rest members
}

// Counters are those of one direction.
type Counters struct {
	Bytes   *uint64 `json:"bytes,omitempty"`
	Packets *uint64 `json:"packets,omitempty"`
	Errors  *uint64 `json:"errors,omitempty"`
	Dropped *uint64 `json:"dropped,omitempty"`
	rest    members
}

// Routes is the output of ip -j route.
type Routes struct {
	dialect.Report
	Routes []*Route
}

// Route is one route.
type Route struct {
	To       string   `json:"dst,omitempty"` // default, 192.0.2.0/24
	Gateway  string   `json:"gateway,omitempty"`
	Device   string   `json:"dev,omitempty"`
	Protocol string   `json:"protocol,omitempty"` // kernel, static, dhcp
	Scope    string   `json:"scope,omitempty"`
	Source   string   `json:"prefsrc,omitempty"`
	Metric   *uint64  `json:"metric,omitempty"`
	Flags    []string `json:"flags"`
	rest     members
}

// Find is the device of that name, or nil.
func (l *Links) Find(name string) *Link {
	for _, x := range l.Links {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Has tells whether a flag, such as UP, is set.
func (v *Link) Has(flag string) bool { return slices.Contains(v.Flags, flag) }
