package expr

import (
	"cmp"
	"fmt"
	"strings"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/inventory/graph"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/knowledge"
)

// listVNICs and readServers are how backing devices are read: all of them on the HMC, one on its VIOS.
const (
	listVNICs    = "lshwres -r virtualio --rsubtype vnic --level lpar"
	readServers  = "lsmap -all -vnic"
	logicalPorts = "lshwres -r sriov --rsubtype logport --level eth"
)

// carriedVNICs counts the clients' vNICs that a physical port of a VIOS carries now. Each has a
// logical port of its own there, so those of one physical port are counted together.
func carriedVNICs(s *Session, e *graph.Element) (int, error) {
	if e.Of.Platform == model.VIOS && e.Of.Servers == nil {
		return 0, e.Missing("vNIC servers", readServers)
	}
	port, count := e.Is.PhysicalPort(), 0
	for _, server := range e.Of.Servers {
		on := e.Of.Elements[server.Backing]
		same := server.Backing == e.Name || on != nil && port != "" && on.PhysicalPort() == port
		if same && !strings.EqualFold(server.State, "inactive") {
			count++
		}
	}
	if count > 0 {
		s.evidence(e, readServers, "the physical port of %s carries vNICs of clients: %d", e.Name, count)
	}
	return count, nil
}

// backingDevices gives the devices that can carry a vNIC. Only an HMC lists all of them.
func backingDevices(s *Session, e *graph.Element) ([]model.Backing, error) {
	if len(e.Is.Backing) == 0 {
		return nil, e.Missing("its backing devices", listVNICs)
	}
	for _, b := range e.Is.Backing {
		s.record(finding.Evidence{
			Host: cmp.Or(b.Host, e.Is.ListedBy, e.Host), Command: backingCommand(b), Text: e.Host + " " + e.Name + " " + describeBacking(b),
		})
	}
	return e.Is.Backing, nil
}

// backingCommand shows a device: on its VIOS, if that was read.
func backingCommand(b model.Backing) string {
	if b.Host != "" {
		return readServers
	}
	return listVNICs
}

func describeBacking(b model.Backing) string {
	parts := []string{"on " + b.VIOS}
	if b.Device != "" {
		parts = append(parts, b.Device)
	}
	if b.Port != "" {
		parts = append(parts, "SR-IOV port "+b.Port)
	}
	if b.Priority != nil {
		parts = append(parts, fmt.Sprintf("priority %d", *b.Priority))
	}
	if b.State != "" {
		parts = append(parts, b.State)
	}
	if b.Active != nil && *b.Active && !strings.EqualFold(b.State, "active") {
		parts = append(parts, "active")
	}
	return strings.Join(parts, ", ")
}

// backingCount says how many devices can carry a vNIC.
func backingCount(s *Session, e *graph.Element) (int, error) {
	all, err := backingDevices(s, e)
	if err == nil && e.Is.ListedBy == "" && len(all) < 2 {
		err = e.Missing("whether it has other backing devices", listVNICs)
	}
	return len(all), err
}

// backingVIOSes says on how many VIOSes they are, at least.
func backingVIOSes(s *Session, e *graph.Element) (int, error) {
	return distinctBackings(s, e, func(b model.Backing) string { return b.VIOS })
}

// backingAdapters says on how many SR-IOV adapters they are, at least.
func backingAdapters(s *Session, e *graph.Element) (int, error) {
	return distinctBackings(s, e, func(b model.Backing) string {
		adapter, _, _ := strings.Cut(b.Port, "/")
		return adapter
	})
}

func distinctBackings(s *Session, e *graph.Element, part func(model.Backing) string) (int, error) {
	all, err := backingDevices(s, e)
	if err != nil {
		return 0, err
	}
	have := map[string]bool{}
	for _, b := range all {
		if part(b) == "" {
			return 0, e.Missing("the VIOS and the SR-IOV port of each of its backing devices", listVNICs)
		}
		have[part(b)] = true
	}
	if len(have) < 2 && e.Is.ListedBy == "" {
		return 0, e.Missing("whether it has other backing devices", listVNICs)
	}
	return len(have), nil
}

// readyBackings says how many backing devices carry the vNIC or could.
func readyBackings(s *Session, e *graph.Element) (int, error) {
	all, err := backingDevices(s, e)
	if err != nil {
		return 0, err
	}
	ready, unread := 0, e.Is.ListedBy == ""
	for _, b := range all {
		switch {
		case b.Ready == nil:
			unread = true
		case *b.Ready:
			ready++
		}
	}
	if unread && ready < 2 {
		return 0, e.Missing("the states of its backing devices", listVNICs)
	}
	return ready, nil
}

// preferredBacking says whether no device that is ready goes before the active one.
func preferredBacking(s *Session, e *graph.Element) (bool, error) {
	all, err := backingDevices(s, e)
	if err != nil {
		return false, err
	}
	active, first := 0, 0
	for _, b := range all {
		if b.Active == nil || b.Ready == nil || b.Priority == nil {
			return false, e.Missing("states and failover priorities of its backing devices", listVNICs)
		}
		if *b.Active {
			active = *b.Priority
		}
		if *b.Ready && (first == 0 || *b.Priority < first) {
			first = *b.Priority
		}
	}
	if active == 0 || len(all) < 2 && e.Is.ListedBy == "" {
		return false, e.Missing("which of its backing devices is active", listVNICs)
	}
	return active <= first || first == 0, nil
}

// portSharers says how many SR-IOV logical ports are on the physical port of an element, itself among them.
func portSharers(s *Session, e *graph.Element) (int, error) {
	share, how := carrying(e)
	if share.Sharers == nil {
		return 0, e.Missing("the logical ports of its physical port", logicalPorts)
	}
	s.record(finding.Evidence{
		Host: cmp.Or(e.Is.ListedBy, e.Host), Command: how,
		Text: fmt.Sprintf("%s %s: logical ports on its physical port: %d", e.Host, e.Name, *share.Sharers),
	})
	return *share.Sharers, nil
}

// carrying is the share of an SR-IOV logical port, and of a vNIC that of the device that carries it, with what lists it.
func carrying(e *graph.Element) (share model.PortShare, how string) {
	if e.Is.Kind != model.VNIC {
		return e.Is.PortShare, logicalPorts
	}
	for _, b := range e.Is.Backing {
		if b.Active != nil && *b.Active {
			share = b.PortShare
		}
	}
	return share, listVNICs
}

// carryingShare is a share of the physical port: of a vNIC its active backing device's.
func carryingShare(what string, get func(model.PortShare) *float64) member {
	return of(func(s *Session, e *graph.Element) (float64, error) {
		share, how := carrying(e)
		v := get(share)
		if v == nil {
			return 0, e.Missing(what, how)
		}
		s.record(finding.Evidence{
			Host: cmp.Or(e.Is.ListedBy, e.Host), Command: how, Text: fmt.Sprintf("%s %s %s: %g %%", e.Host, e.Name, what, *v),
		})
		return *v, nil
	})
}

// toolsBelow says whether the tools that set up hybrid networks are older than a level.
func toolsBelow(s *Session, e *graph.Element, level string) (bool, error) {
	const how = "rpm -q powerpc-utils"
	if e.Of.Tools == "" {
		return false, e.Missing("level of powerpc-utils", how)
	}
	order, err := knowledge.CompareLevels(e.Of.Tools, level)
	if err != nil {
		return false, e.Missing(err.Error(), how)
	}
	s.evidence(e, how, "powerpc-utils %s", e.Of.Tools)
	return order < 0, nil
}
