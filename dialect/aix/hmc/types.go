package hmc

import (
	"encoding/hex"
	"net"
	"slices"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Field is one name and value.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Record is one line of a list.
type Record struct {
	Fields []Field `json:"fields"`
	Line   int     `json:"-"` // 1-based
}

// List is one output.
type List struct {
	dialect.Report
	Names   []string `json:"names,omitempty"`  // of -F; values are printed without them
	Header  bool     `json:"header,omitempty"` // --header: the names are on the first line
	Records []Record `json:"records,omitempty"`

	separator string // between values
}

// Get is the value of a name; false if the record does not print it.
func (r *Record) Get(name string) (string, bool) {
	for _, f := range r.Fields {
		if f.Name == name {
			return f.Value, true
		}
	}
	return "", false
}

// text is a value; empty if it is not printed.
func (r *Record) text(name string) string {
	v, _ := r.Get(name)
	return v
}

// number is a value that is a whole number; nil if it is not printed or none.
func (r *Record) number(name string) *int {
	n, err := strconv.Atoi(r.text(name))
	if err != nil {
		return nil
	}
	return &n
}

func (r *Record) flag(name string) *bool {
	n := r.number(name)
	if n == nil || *n != 0 && *n != 1 {
		return nil
	}
	yes := *n == 1
	return &yes
}

// VirtualEthernet is a virtual Ethernet adapter of a partition, as lshwres -r
// virtualio --rsubtype eth --level lpar lists it. Nil or empty: not printed.
type VirtualEthernet struct {
	LPAR          string `json:"lpar"`
	LPARID        *int   `json:"lpar_id,omitempty"`
	Slot          *int   `json:"slot,omitempty"`
	Active        *bool  `json:"active,omitempty"` // state
	PVID          *int   `json:"pvid,omitempty"`
	VLANs         []int  `json:"vlans,omitempty"` // tagged
	IEEE          *bool  `json:"ieee,omitempty"`  // 802.1Q aware
	Trunk         *bool  `json:"trunk,omitempty"`
	TrunkPriority *int   `json:"trunk_priority,omitempty"` // trunks only
	VSwitch       string `json:"vswitch,omitempty"`        // not on old HMCs
	MAC           string `json:"mac,omitempty"`            // aa:bb:cc:dd:ee:ff
	Line          int    `json:"-"`
}

// sriov says that a record is of a vNIC or of a logical port: they too have a
// port VLAN, but no hypervisor switch.
func (r *Record) sriov() bool {
	return slices.ContainsFunc(r.Fields, func(f Field) bool { return f.Name == "backing_devices" || f.Name == "logical_port_id" })
}

// Ethernet lists the virtual Ethernet adapters. VLAN ids that are no numbers
// are left out and give a warning in the list's report when it is parsed.
func (l *List) Ethernet() []VirtualEthernet {
	var list []VirtualEthernet
	for i := range l.Records {
		r := &l.Records[i]
		if _, ok := r.Get("port_vlan_id"); !ok || r.sriov() {
			continue
		}
		e := VirtualEthernet{
			LPAR: r.text("lpar_name"), VSwitch: r.text("vswitch"), MAC: colons(r.text("mac_addr")),
			LPARID: r.number("lpar_id"), Slot: r.number("slot_num"), Active: r.flag("state"),
			PVID: r.number("port_vlan_id"), IEEE: r.flag("ieee_virtual_eth"),
			Trunk: r.flag("is_trunk"), TrunkPriority: r.number("trunk_priority"), Line: r.Line,
		}
		e.VLANs, _ = r.vlans()
		list = append(list, e)
	}
	return list
}

// vlans are the tagged VLAN ids, and the words that are not.
func (r *Record) vlans() (ids []int, odd []string) {
	for w := range strings.FieldsFuncSeq(r.text("addl_vlan_ids"), func(c rune) bool { return c == ',' || c == '"' }) {
		n, err := strconv.Atoi(strings.TrimSpace(w))
		switch {
		case w == "none" || w == "null": // -F prints what is not set so
		case err != nil || n < 1 || n > 4094:
			odd = append(odd, w)
		default:
			ids = append(ids, n)
		}
	}
	return ids, odd
}

// colons is a MAC address of twelve digits with colons between its bytes; empty if it is none.
func colons(mac string) string {
	b, err := hex.DecodeString(mac)
	if err != nil || len(b) != 6 {
		return ""
	}
	return net.HardwareAddr(b).String()
}
