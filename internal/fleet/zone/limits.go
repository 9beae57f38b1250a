package zone

import (
	"cmp"

	"seaworthy/internal/fleet/message"
)

// Host is a host of the zone, with what stays there.
type Host struct {
	message.Host
	Jump string // the host through which it is reached; empty: none
}

// Limits are how many hosts are read at once; 0: as Defaults has it.
type Limits struct {
	Hosts  int // in all
	Jump   int // through one jump host
	System int // of one managed system, as the label "system" names it
	Pair   int // VIOSes of one pair, as the label "pair" or else "system" names it
}

// Defaults are limits that no host feels. sshd of a jump host refuses logins from the
// tenth on that is not through (MaxStartups); one VIOS of a pair is always left alone.
var Defaults = Limits{Hosts: 32, Jump: 8, System: 8, Pair: 1}

// complete fills in what is 0.
func (l Limits) complete() Limits {
	return Limits{Hosts: cmp.Or(l.Hosts, Defaults.Hosts), Jump: cmp.Or(l.Jump, Defaults.Jump),
		System: cmp.Or(l.System, Defaults.System), Pair: cmp.Or(l.Pair, Defaults.Pair)}
}

// share is something that few hosts may use at once.
type share struct {
	kind, name string
}

// shares are what reading a host uses.
func (h *Host) shares() (out []share) {
	out = append(out, share{kind: "all"})
	if h.Jump != "" {
		out = append(out, share{"jump", h.Jump})
	}
	system := h.Labels["system"]
	if system != "" {
		out = append(out, share{"system", system})
	}
	pair := cmp.Or(h.Labels["pair"], system)
	if h.Platform == "vios" && pair != "" {
		out = append(out, share{"pair", pair})
	}
	return out
}

// usage counts the hosts that are being read.
type usage struct {
	limits Limits
	used   map[share]int
}

func (u *usage) limit(s share) int {
	switch s.kind {
	case "jump":
		return u.limits.Jump
	case "system":
		return u.limits.System
	case "pair":
		return u.limits.Pair
	}
	return u.limits.Hosts
}

// take takes what a host needs; false: something is used up.
func (u *usage) take(all []share) bool {
	for _, s := range all {
		if u.used[s] >= u.limit(s) {
			return false
		}
	}
	for _, s := range all {
		u.used[s]++
	}
	return true
}

// give gives it back.
func (u *usage) give(all []share) {
	for _, s := range all {
		u.used[s]--
		if u.used[s] == 0 {
			delete(u.used, s)
		}
	}
}
