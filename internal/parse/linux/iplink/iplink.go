// Package iplink reads what Linux iproute2 says of devices and routes: the JSON
// of ip -j [-d] [-s] link, ip -j addr and ip -j route, and their text, which is
// all that older levels print (RHEL 7, SLES 12). What net-tools say of devices,
// ifconfig and netstat -i, is put into the same form.
package iplink

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"seaworthy/internal/parse"
)

// Links is the output of ip link or ip addr.
type Links struct {
	parse.Report
	Links []*Link
}

// Link is one network device. Members that this level of ip does not print,
// or prints only with -d, are nil or empty.
type Link struct {
	Name      string     `json:"ifname"`
	Flags     []string   `json:"flags"` // UP, LOWER_UP, NO-CARRIER, ...
	MTU       Number     `json:"mtu" from:"mtu"`
	Master    string     `json:"master" from:"master"`   // bridge or bond the device belongs to
	Base      string     `json:"link"`                   // device below a VLAN or macvlan
	State     string     `json:"operstate" from:"state"` // UP, DOWN, LOWERLAYERDOWN, UNKNOWN
	TxQueue   Number     `json:"txqlen" from:"qlen"`     // packets
	Type      string     `json:"link_type"`              // ether, loopback
	MAC       string     `json:"address"`
	MinMTU    Number     `json:"min_mtu" from:"minmtu"`
	MaxMTU    Number     `json:"max_mtu" from:"maxmtu"`
	GSOSize   Number     `json:"gso_max_size" from:"gso_max_size"` // bytes of a segment that the port is given
	GSOSegs   Number     `json:"gso_max_segs" from:"gso_max_segs"` // packets in it
	TSOSize   Number     `json:"tso_max_size" from:"tso_max_size"` // what the driver takes (Linux 5.19 and later)
	TSOSegs   Number     `json:"tso_max_segs" from:"tso_max_segs"`
	BusDevice string     `json:"parentdev" from:"parentdev"`
	Info      *Info      `json:"linkinfo"`
	Addresses []*Address `json:"addr_info"`
	Counted   *Counted   `json:"stats64"` // with -s
	Line      int        `json:"-"`       // 1-based, where the text of ip names it; 0 of JSON
}

// AddressesOnly reports whether an output has addresses of a device and nothing else of it, as ip -o addr does.
func (l *Link) AddressesOnly() bool { return l.MTU == "" && l.Flags == nil && len(l.Addresses) > 0 }

// Number is a whole number as printed; empty if it was not, or is none.
type Number string

var digits = parse.Lazy(`^[0-9]{1,19}$`)

// UnmarshalJSON takes a number; anything else is not known, never zero.
func (n *Number) UnmarshalJSON(text []byte) error {
	if digits.Match(text) {
		*n = Number(text)
	}
	return nil
}

// Uint is the number; nil if it is not known.
func (n Number) Uint() *uint64 {
	if v, err := strconv.ParseUint(string(n), 10, 64); err == nil {
		return &v
	}
	return nil
}

// Text is a text as printed; empty if it was not, or is none: kinds of devices use
// words for different things.
type Text string

// UnmarshalJSON takes a text; anything else is not known.
func (t *Text) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		*t = Text(s)
	}
	return nil
}

// Info holds what -d says about a device of a special kind.
type Info struct {
	Kind string `json:"info_kind"` // vlan, bridge, bond, veth, ...
	Data *Data  `json:"info_data"`
}

// Data are the attributes of a kind: those of vlan, bond and tunnels.
type Data struct {
	VLAN     Number `json:"id" from:"id"`
	Mode     string `json:"mode" from:"mode"` // bond: 802.3ad, active-backup
	Hash     string `json:"xmit_hash_policy" from:"xmit_hash_policy"`
	LACPRate string `json:"ad_lacp_rate" from:"lacp_rate"`
	MIIMon   Number `json:"miimon" from:"miimon"`             // bond: milliseconds between looks at the links
	ARP      Number `json:"arp_interval" from:"arp_interval"` // the same by ARP
	Primary  Text   `json:"primary" from:"primary"`
	Active   Text   `json:"active_slave" from:"active_slave"`
	MAC      string `json:"fail_over_mac" from:"fail_over_mac"` // bond: none, active, follow
	LACP     *LACP  `json:"ad_info"`
	Link     Text   `json:"link" from:"dev"`      // tunnel: the device that its packets leave by
	Remote   Text   `json:"remote" from:"remote"` // tunnel: where they go
	Remote6  Text   `json:"remote6"`
}

// LACP is a bond's aggregation that carries traffic.
type LACP struct {
	Ports   Number `json:"num_ports" from:"ad_num_ports"`
	Partner Text   `json:"partner_mac" from:"ad_partner_mac"`
}

// Counted are a device's counters by ip's names: bytes, dropped, over_errors.
type Counted struct {
	RX map[string]Number `json:"rx"`
	TX map[string]Number `json:"tx"`
}

// Counters have the kernel's names, as in /sys/class/net: rx_dropped.
func (c *Counted) Counters() map[string]uint64 {
	out := map[string]uint64{}
	if c == nil {
		return out
	}
	for direction, counters := range map[string]map[string]Number{"rx_": c.RX, "tx_": c.TX} {
		for name, n := range counters {
			if v := n.Uint(); v != nil {
				out[cmp.Or(kernel[direction+name], direction+name)] = *v
			}
		}
	}
	return out
}

// kernel are the names of counters that are not ip's with the direction before it:
// the columns of ip -s -s.
var kernel = map[string]string{
	"rx_mcast": "multicast", "rx_multicast": "multicast", "rx_overrun": "rx_over_errors", "rx_missed": "rx_missed_errors",
	"rx_length": "rx_length_errors", "rx_crc": "rx_crc_errors", "rx_frame": "rx_frame_errors", "rx_fifo": "rx_fifo_errors",
	"tx_carrier": "tx_carrier_errors", "tx_collsns": "collisions", "tx_collisions": "collisions", "tx_aborted": "tx_aborted_errors",
	"tx_fifo": "tx_fifo_errors", "tx_window": "tx_window_errors", "tx_heartbeat": "tx_heartbeat_errors",
	"tx_heartbt": "tx_heartbeat_errors", "tx_transns": "carrier_changes", "tx_carrier_changes": "carrier_changes",
}

// Address is one address of a device.
type Address struct {
	Family string `json:"family"` // inet, inet6
	Local  string `json:"local"`
	Prefix int    `json:"prefixlen"`
	Scope  string `json:"scope"` // global, link, host
}

// Routes is the output of ip route.
type Routes struct {
	parse.Report
	Routes []*Route
}

// Route is one route.
type Route struct {
	To       string `json:"dst"` // default, 192.0.2.0/24
	Gateway  string `json:"gateway" from:"via"`
	Device   string `json:"dev" from:"dev"`
	Protocol string `json:"protocol" from:"proto"` // kernel, static, dhcp
	Metric   Number `json:"metric" from:"metric"`
	Table    string `json:"table" from:"table"` // empty: main
	Type     string `json:"type"`               // empty: unicast

	Metrics []*Metrics `json:"metrics"` // at most one; nil: none
}

// Metrics hold what a route sets for connections that use it, in bytes.
type Metrics struct {
	MTU    Number `json:"mtu" from:"mtu"`
	Window Number `json:"window" from:"window"` // the largest that is offered
	MSS    Number `json:"advmss" from:"advmss"`
}

// Parse reads ip -j link or ip -j addr. Errors: parse.ErrNotRecognised if the
// text is not a JSON array of devices; a text that was cut off is none.
func Parse(text []byte) (*Links, error) {
	l := &Links{}
	if err := decode(text, &l.Report, &l.Links); err != nil {
		return nil, fmt.Errorf("ip -j link: %w", err)
	}
	for i, x := range l.Links {
		// "ip -j addr show up" prints an empty object for each device it leaves out.
		if x == nil || x.Name == "" && !reflect.DeepEqual(*x, Link{}) {
			return nil, fmt.Errorf("ip -j link: element %d is not a device: %w", i, parse.ErrNotRecognised)
		}
	}
	return l, nil
}

// ParseRoutes reads ip -j route. Errors: as Parse.
func ParseRoutes(text []byte) (*Routes, error) {
	r := &Routes{}
	if err := decode(text, &r.Report, &r.Routes); err != nil {
		return nil, fmt.Errorf("ip -j route: %w", err)
	}
	for i, x := range r.Routes {
		if x == nil || x.To == "" {
			return nil, fmt.Errorf("ip -j route: element %d is not a route: %w", i, parse.ErrNotRecognised)
		}
	}
	return r, nil
}

func decode(text []byte, report *parse.Report, into any) error {
	if len(text) > parse.MaxText {
		return parse.ErrNotRecognised
	}
	plain := bytes.TrimSpace([]byte(parse.StripEscapes(string(text)))) // ip -c colours even JSON
	if len(plain) == 0 || plain[0] != '[' {
		return parse.ErrNotRecognised
	}
	// A member of another type than expected leaves its field empty: not known.
	// An element that is not an object does not pass.
	err := json.Unmarshal(plain, into)
	var other *json.UnmarshalTypeError
	if err != nil && (!errors.As(err, &other) || other.Field == "") {
		return fmt.Errorf("%w: %w", parse.ErrNotRecognised, err)
	}
	report.Lines = bytes.Count(text, []byte("\n"))
	return nil
}

// Has reports whether a flag, such as UP, is set.
func (l *Link) Has(flag string) bool { return slices.Contains(l.Flags, flag) }
