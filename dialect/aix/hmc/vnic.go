package hmc

import (
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// System is a managed system, as lssyscfg -r sys lists it.
type System struct {
	Name      string `json:"name"`
	TypeModel string `json:"type_model,omitempty"` // 9009-22A
	Serial    string `json:"serial,omitempty"`
}

// ID is the system as its hosts name it, 9009-22A*7812345; empty if the list
// does not print both parts.
func (s System) ID() string {
	if s.TypeModel == "" || s.Serial == "" {
		return ""
	}
	return s.TypeModel + "*" + s.Serial
}

// Systems lists the managed systems.
func (l *List) Systems() []System {
	var list []System
	for i := range l.Records {
		r := &l.Records[i]
		if _, partition := r.Get("lpar_id"); partition {
			continue
		}
		s := System{Name: r.text("name"), TypeModel: r.text("type_model"), Serial: r.text("serial_num")}
		if s.Name != "" && (s.TypeModel != "" || s.Serial != "") {
			list = append(list, s)
		}
	}
	return list
}

// VNIC is a partition's vNIC, as lshwres -r virtualio --rsubtype vnic lists it.
type VNIC struct {
	LPAR    string    `json:"lpar"`
	LPARID  *int      `json:"lpar_id,omitempty"`
	Slot    *int      `json:"slot,omitempty"`
	PVID    *int      `json:"pvid,omitempty"` // 0: none
	MAC     string    `json:"mac,omitempty"`  // aa:bb:cc:dd:ee:ff
	Backing []Backing `json:"backing,omitempty"`
	Line    int       `json:"-"`
}

// Backing is an SR-IOV logical port on a VIOS that can carry a vNIC. Only the
// fields at the front of the list have the same place on all levels.
type Backing struct {
	VIOS        string `json:"vios"`
	VIOSID      *int   `json:"vios_id,omitempty"`
	Adapter     string `json:"adapter,omitempty"`      // SR-IOV adapter id
	Port        string `json:"port,omitempty"`         // physical port id
	LogicalPort string `json:"logical_port,omitempty"` // 27004001
	State       string `json:"state,omitempty"`        // Operational, ...
}

// logicalPort is the form of a logical port's id: hexadecimal, without a point
// as a capacity has it.
var logicalPort = dialect.Lazy(`^[0-9A-Fa-f]{8}$`)

// VNICs lists the vNICs.
func (l *List) VNICs() []VNIC {
	var list []VNIC
	for i := range l.Records {
		r := &l.Records[i]
		backing, ok := r.Get("backing_devices")
		if !ok {
			continue
		}
		v := VNIC{LPAR: r.text("lpar_name"), LPARID: r.number("lpar_id"), Slot: r.number("slot_num"), PVID: r.number("port_vlan_id"),
			MAC: colons(r.text("mac_addr")), Line: r.Line}
		states := map[string]string{}
		for s := range strings.SplitSeq(r.text("backing_device_states"), ",") {
			if parts := strings.Split(s, "/"); len(parts) >= 3 {
				states[parts[1]] = parts[len(parts)-1]
			}
		}
		for one := range strings.SplitSeq(backing, ",") {
			parts := strings.Split(one, "/")
			if len(parts) < 5 || parts[0] != "sriov" {
				continue
			}
			b := Backing{VIOS: parts[1], Adapter: parts[3], Port: parts[4]}
			if n, err := strconv.Atoi(parts[2]); err == nil {
				b.VIOSID = &n
			}
			if len(parts) > 5 && logicalPort.MatchString(parts[5]) {
				b.LogicalPort, b.State = parts[5], states[parts[5]]
			}
			v.Backing = append(v.Backing, b)
		}
		list = append(list, v)
	}
	return list
}
