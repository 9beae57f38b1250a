package hmc

import (
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// System is a managed system, as lssyscfg -r sys lists it.
type System struct {
	Name      string `json:"name" from:"name"`
	TypeModel string `json:"type_model,omitempty" from:"type_model"` // 9009-22A
	Serial    string `json:"serial,omitempty" from:"serial_num"`
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
	return listed(l, "name", func(r *Record, s *System) bool {
		_, partition := r.Get("lpar_id")
		return !partition && s.Name != "" && (s.TypeModel != "" || s.Serial != "")
	})
}

// Partition is a partition, as lssyscfg -r lpar lists it. Empty: not printed.
type Partition struct {
	Name   string `json:"name" from:"name"`
	ID     *int   `json:"id,omitempty" from:"lpar_id"`
	Env    string `json:"env,omitempty" from:"lpar_env"`  // aixlinux, vioserver, os400
	System string `json:"os,omitempty" from:"os_version"` // "AIX 7.2 7200-05-03-2148", "Linux/Red Hat ..."; Unknown while it does not run
}

// Partitions lists the partitions.
func (l *List) Partitions() []Partition {
	return listed(l, "lpar_env", func(r *Record, p *Partition) bool {
		_, profile := r.Get("lpar_name")
		return !profile && p.Name != ""
	})
}

// Processors are those of a partition, as lshwres -r proc --level lpar lists them. Nil or empty:
// not printed.
type Processors struct {
	LPAR      string   `json:"lpar" from:"lpar_name"`
	LPARID    *int     `json:"lpar_id,omitempty" from:"lpar_id"`
	Dedicated bool     `json:"dedicated,omitempty"`
	Units     *float64 `json:"units,omitempty" from:"curr_proc_units"`     // entitlement of a shared partition, in cores
	Procs     *int     `json:"procs,omitempty" from:"curr_procs"`          // virtual processors; of a dedicated one its cores
	Sharing   string   `json:"sharing,omitempty" from:"curr_sharing_mode"` // cap, uncap; of a dedicated one keep_idle_procs …
	Weight    *int     `json:"weight,omitempty" from:"curr_uncap_weight"`  // of an uncapped one
	Line      int      `json:"-"`
}

// Processors lists what each partition has now.
func (l *List) Processors() []Processors {
	return listed(l, "curr_proc_mode", func(r *Record, p *Processors) bool {
		mode := r.text("curr_proc_mode")
		p.Dedicated, p.Line = mode == "ded", r.Line
		if p.Units != nil && !(*p.Units > 0 && *p.Units < 1e9) { // nor NaN, which JSON lacks
			p.Units = nil
		}
		if p.Sharing != "uncap" {
			p.Weight = nil
		}
		return (mode == "shared" || mode == "ded") && p.LPAR != ""
	})
}

// VNIC is a partition's vNIC, as lshwres -r virtualio --rsubtype vnic lists it.
type VNIC struct {
	LPAR    string    `json:"lpar" from:"lpar_name"`
	LPARID  *int      `json:"lpar_id,omitempty" from:"lpar_id"`
	Slot    *int      `json:"slot,omitempty" from:"slot_num"`
	PVID    *int      `json:"pvid,omitempty" from:"port_vlan_id"` // 0: none
	MAC     string    `json:"mac,omitempty" from:"mac_addr"`      // aa:bb:cc:dd:ee:ff
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
var logicalPort = parse.Lazy(`^[0-9A-Fa-f]{8}$`)

// VNICs lists the vNICs.
func (l *List) VNICs() []VNIC {
	return listed(l, "backing_devices", func(r *Record, v *VNIC) bool {
		v.MAC, v.Line = parse.MAC(v.MAC), r.Line
		states := map[string]string{}
		for s := range strings.SplitSeq(r.text("backing_device_states"), ",") {
			if parts := strings.Split(s, "/"); len(parts) >= 3 {
				states[parts[1]] = parts[len(parts)-1]
			}
		}
		for one := range strings.SplitSeq(r.text("backing_devices"), ",") {
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
		return true
	})
}
