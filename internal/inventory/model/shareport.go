package model

import "strings"

// physicalPort is an SR-IOV port of a managed system.
type physicalPort struct {
	system string
	port   string // the HMC's ids of adapter and port, 1/0
}

// portUse says who shares a physical port.
type portUse struct {
	logical  map[string]bool // ids of its logical ports
	max      float64         // sum of their largest shares, in per cent
	complete bool            // the largest share of each is known
}

// sharePorts gives logical ports, and the backing devices of vNICs, how many share their physical port and what they may
// take of it together. The list of logical ports has those that back a vNIC too: of their VIOS.
func (c *HMC) sharePorts() {
	uses := map[physicalPort]*portUse{}
	for i := range c.Adapters {
		a := &c.Adapters[i]
		if a.Kind != Physical || a.System == "" || a.PhysicalPort == "" || a.LogicalPort == "" {
			continue
		}
		at := physicalPort{a.System, a.PhysicalPort}
		u := uses[at]
		if u == nil {
			u = &portUse{logical: map[string]bool{}, complete: true}
			uses[at] = u
		}
		if u.logical[a.LogicalPort] {
			continue // listed twice
		}
		u.logical[a.LogicalPort] = true
		if a.MaxCapacity == nil {
			u.complete = false
			continue
		}
		u.max += *a.MaxCapacity
	}
	for i := range c.Adapters {
		a := &c.Adapters[i]
		a.PortShare.take(uses[physicalPort{a.System, a.PhysicalPort}])
		for k := range a.Backing {
			b := &a.Backing[k]
			b.PortShare.take(uses[physicalPort{a.System, b.Port}])
		}
	}
}

// take notes who shares a port; nil: not known.
func (s *PortShare) take(u *portUse) {
	if u == nil {
		return
	}
	s.Sharers = new(len(u.logical))
	if u.complete {
		s.SharersMax = new(u.max)
	}
}

// portStates gives logical ports, and the backing devices of vNICs, whether their physical port works and how fast it is.
func (c *HMC) portStates() {
	ports := map[physicalPort]*SRIOVPort{}
	for i := range c.Ports {
		p := &c.Ports[i]
		ports[physicalPort{p.System, p.Port}] = p
	}
	for i := range c.Adapters {
		a := &c.Adapters[i]
		if a.System == "" {
			continue
		}
		if a.PhysicalPort != "" {
			a.LinkUp, a.SpeedMb = stateOf(ports, a.System, a.PhysicalPort)
		}
		for k := range a.Backing {
			b := &a.Backing[k]
			works, speed := stateOf(ports, a.System, b.Port)
			if works != nil && !*works {
				b.Ready = works
			}
			if b.Active != nil && *b.Active {
				a.LinkUp, a.SpeedMb = works, speed
			}
		}
	}
}

// stateOf is what is known of a port: it does not work where its adapter does not.
func stateOf(ports map[physicalPort]*SRIOVPort, system, port string) (works *bool, speed *int64) {
	if p := ports[physicalPort{system, port}]; p != nil {
		works, speed = p.Works, p.SpeedMb
	}
	adapter, _, _ := strings.Cut(port, "/")
	if p := ports[physicalPort{system, adapter + "/"}]; p != nil && p.Works != nil && !*p.Works {
		works = p.Works
	}
	return works, speed
}
