package hmc

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// VNIC is a partition's vNIC, as lshwres -r virtualio --rsubtype vnic lists it.
type VNIC struct {
	LPAR         string    `json:"lpar" from:"lpar_name"`
	LPARID       *int      `json:"lpar_id,omitempty" from:"lpar_id"`
	Slot         *int      `json:"slot,omitempty" from:"slot_num"`
	PVID         *int      `json:"pvid,omitempty" from:"port_vlan_id"` // 0: none
	MAC          string    `json:"mac,omitempty" from:"mac_addr"`      // aa:bb:cc:dd:ee:ff
	AutoFailover *bool     `json:"auto_failover,omitempty" from:"auto_priority_failover"`
	Backing      []Backing `json:"backing,omitempty"`
	Line         int       `json:"-"`
}

// Backing is an SR-IOV logical port on a VIOS that can carry a vNIC. What follows
// the logical port's id is there on levels that know vNIC failover.
type Backing struct {
	VIOS        string   `json:"vios"`
	VIOSID      *int     `json:"vios_id,omitempty"`
	Adapter     string   `json:"adapter,omitempty"`      // SR-IOV adapter id
	Port        string   `json:"port,omitempty"`         // physical port id
	LogicalPort string   `json:"logical_port,omitempty"` // 27004001
	Capacity    *float64 `json:"capacity,omitempty"`     // guaranteed share of the physical port, in per cent
	MaxCapacity *float64 `json:"max_capacity,omitempty"` // largest share, in per cent
	Priority    *int     `json:"priority,omitempty"`     // of failover: 1 to 100, the lowest goes first
	Active      *bool    `json:"active,omitempty"`       // it carries the vNIC now
	State       string   `json:"state,omitempty"`        // Operational, ...
}

// logicalPort is the form of a logical port's id: hexadecimal, without a point
// as a capacity has it.
var logicalPort = parse.Lazy(`^[0-9A-Fa-f]{8}$`)

// VNICs lists the vNICs.
func (l *List) VNICs() []VNIC {
	return listed(l, "backing_devices", func(r *Record, v *VNIC) bool {
		v.MAC, v.Line = parse.MAC(v.MAC), r.Line
		states := backingStates(r.text("backing_device_states"))
		for one := range strings.SplitSeq(r.text("backing_devices"), ",") {
			if b, ok := backing(one); ok {
				state := states[b.LogicalPort]
				b.Active, b.State = state.active, state.name
				v.Backing = append(v.Backing, b)
			}
		}
		return true
	})
}

// backing reads one device: sriov, name and id of the VIOS, adapter, physical port, logical
// port, capacity now and desired, priority, largest capacity now and desired, with slashes between.
func backing(text string) (b Backing, ok bool) {
	parts := strings.Split(text, "/")
	if len(parts) < 5 || parts[0] != "sriov" {
		return b, false
	}
	b = Backing{VIOS: parts[1], Adapter: parts[3], Port: parts[4]}
	if n, err := strconv.Atoi(parts[2]); err == nil {
		b.VIOSID = &n
	}
	if len(parts) < 6 || !logicalPort.MatchString(parts[5]) {
		return b, true
	}
	b.LogicalPort = parts[5]
	if len(parts) > 6 {
		b.Capacity = percent(parts[6])
	}
	if len(parts) > 8 {
		b.Priority = failoverPriority(parts[8])
	}
	if len(parts) > 9 {
		b.MaxCapacity = percent(parts[9])
	}
	return b, true
}

// percent is a share of a physical port; nil if it is not one.
func percent(text string) *float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v <= 100) {
		return nil
	}
	return &v
}

func failoverPriority(text string) *int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 100 {
		return nil
	}
	return &n
}

type backingState struct {
	active *bool
	name   string
}

// backingStates are what backing_device_states says, by logical port: sriov/27004001/1/Operational.
func backingStates(text string) map[string]backingState {
	states := map[string]backingState{}
	for one := range strings.SplitSeq(text, ",") {
		parts := strings.Split(one, "/")
		if len(parts) < 3 {
			continue
		}
		state := backingState{name: parts[len(parts)-1]}
		if len(parts) > 3 && (parts[2] == "0" || parts[2] == "1") {
			state.active = new(parts[2] == "1")
		}
		states[parts[1]] = state
	}
	return states
}

// LogicalPort is an SR-IOV logical port, as lshwres -r sriov --rsubtype logport lists it. Nil or
// empty: not printed.
type LogicalPort struct {
	LPAR        string   `json:"lpar" from:"lpar_name"`
	LPARID      *int     `json:"lpar_id,omitempty" from:"lpar_id"`
	Adapter     string   `json:"adapter,omitempty" from:"adapter_id"`
	Port        string   `json:"port,omitempty" from:"phys_port_id"`
	ID          string   `json:"id" from:"logical_port_id"`
	Location    string   `json:"location,omitempty" from:"location_code"`
	MAC         string   `json:"mac,omitempty" from:"mac_addr"`
	Capacity    *float64 `json:"capacity,omitempty"`     // guaranteed share of the physical port, in per cent
	MaxCapacity *float64 `json:"max_capacity,omitempty"` // largest share, in per cent
	Line        int      `json:"-"`
}

// LogicalPorts lists the logical ports that a partition has.
func (l *List) LogicalPorts() []LogicalPort {
	return listed(l, "logical_port_id", func(r *Record, p *LogicalPort) bool {
		p.MAC, p.Line = parse.MAC(p.MAC), r.Line
		p.Capacity, p.MaxCapacity = percent(r.text("capacity")), percent(r.text("max_capacity"))
		return logicalPort.MatchString(p.ID) && p.LPARID != nil
	})
}

// PhysicalPort is a port of an SR-IOV adapter, as lshwres -r sriov --rsubtype physport lists it. Nil or empty: not printed.
type PhysicalPort struct {
	Adapter string `json:"adapter" from:"adapter_id"`
	ID      string `json:"id" from:"phys_port_id"`
	Works   *bool  `json:"works,omitempty"`      // it has a link
	Mbit    *int64 `json:"mbit_per_s,omitempty"` // of its link
	Line    int    `json:"-"`
}

// portSpeed is a speed as HMCs print it: 10000, 10000 Mbps, 10 Gbps.
var portSpeed = parse.Lazy(`^(\d{1,6}) ?(Mbps|Gbps|)$`)

// PhysicalPorts lists the physical ports.
func (l *List) PhysicalPorts() []PhysicalPort {
	return listed(l, "phys_port_id", func(r *Record, p *PhysicalPort) bool {
		p.Line = r.Line
		p.Works = working(r.text("state"))
		for _, name := range []string{"conn_speed", "curr_conn_speed"} {
			speed, unit := uint64(0), ""
			if !portSpeed.Scan(r.text(name), &speed, &unit) || speed == 0 {
				continue
			}
			if unit == "Gbps" {
				speed *= 1000
			}
			p.Mbit = new(int64(speed))
		}
		_, logical := r.Get("logical_port_id")
		return !logical && p.Adapter != "" && p.ID != ""
	})
}

// SRIOVAdapter is an adapter in shared mode, as lshwres -r sriov --rsubtype adapter lists it.
type SRIOVAdapter struct {
	ID    string `json:"id" from:"adapter_id"`
	Works *bool  `json:"works,omitempty"` // nil: not printed
	Line  int    `json:"-"`
}

// SRIOVAdapters lists the adapters in shared mode.
func (l *List) SRIOVAdapters() []SRIOVAdapter {
	return listed(l, "functional_state", func(r *Record, a *SRIOVAdapter) bool {
		a.Line = r.Line
		a.Works = working(r.text("functional_state"))
		return logicalAdapter.MatchString(a.ID)
	})
}

// logicalAdapter is the id of an adapter in shared mode; another has none (null).
var logicalAdapter = parse.Lazy(`^\d+$`)

// working is a state of an HMC list, 1 or 0; nil: not printed.
func working(state string) *bool {
	if state != "0" && state != "1" {
		return nil
	}
	return new(state == "1")
}
