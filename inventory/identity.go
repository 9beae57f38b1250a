package inventory

import (
	"fmt"
	"strings"
)

// Another gives the difference by which two snapshots under one name are of different
// hosts; empty if they may be of one. A partition that moved to another managed
// system keeps its adapters' addresses; one that was made anew in its place keeps
// system and number.
func (h *Host) Another(other *Host) string {
	mine, theirs := h.addresses(), other.addresses()
	if len(mine) == 0 || len(theirs) == 0 {
		return ""
	}
	for mac := range mine {
		if theirs[mac] {
			return ""
		}
	}
	p, q := h.Partition.Number, other.Partition.Number
	switch {
	case h.MachineID != "" && other.MachineID != "" && h.MachineID != other.MachineID:
		return fmt.Sprintf("managed systems %s and %s, and no adapter in common", h.MachineID, other.MachineID)
	case p != nil && q != nil && *p != *q:
		return fmt.Sprintf("partitions %d and %d, and no adapter in common", *p, *q)
	}
	return ""
}

// addresses are the MAC addresses of a host's adapters.
func (h *Host) addresses() map[string]bool {
	out := map[string]bool{}
	for _, e := range h.Elements {
		if e != nil && strings.Trim(e.MAC, "0:") != "" {
			out[e.MAC] = true
		}
	}
	return out
}
