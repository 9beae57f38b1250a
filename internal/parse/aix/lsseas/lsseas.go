// Package lsseas reads the report of lsseas, a script that VIOS administrators
// use: of each SEA its state, its EtherChannel, the ports with link and LACP
// partner, and the trunk adapters.
//
// The report begins at "running lssea on HOST"; what a wrapper prints before it
// are outputs of other commands.
package lsseas

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// Report is the output of one VIOS.
type Report struct {
	parse.Report
	Host   string `json:"host"`
	System string `json:"system,omitempty"` // of sys0: IBM,0278C01A8
	Level  string `json:"level,omitempty"`  // ioslevel
	SEAs   []*SEA `json:"seas"`
}

// SEA is one Shared Ethernet Adapter. What the report does not print is empty or
// nil.
type SEA struct {
	Name     string   `json:"name"`
	Mode     string   `json:"ha_mode,omitempty"` // Auto, Sharing
	State    string   `json:"state,omitempty"`   // PRIMARY, BACKUP_SH …
	Priority *int     `json:"priority,omitempty"`
	VLANs    []int    `json:"vlans,omitempty"` // of all its trunk adapters
	Flags    []string `json:"flags,omitempty"`
	Channel  *Channel `json:"etherchannel,omitempty"`
	Ports    []Port   `json:"ports,omitempty"`
	Trunks   []Trunk  `json:"trunks,omitempty"`
	Control  string   `json:"control,omitempty"` // the control channel's adapter
}

// Channel is the EtherChannel below an SEA.
type Channel struct {
	Name    string   `json:"name" from:"adapter"`
	Members []string `json:"members"`
	Mode    string   `json:"mode" from:"mode"` // 8023ad, standard
	Hash    string   `json:"hash_mode" from:"hash_mode"`
	Jumbo   string   `json:"jumbo" from:"jumbo"` // yes, no
}

// Port is a physical port. The fields of LACP are empty where it runs none.
type Port struct {
	Name        string `from:"adapter"`
	Location    string `from:"hardware_path"`
	Up          *bool
	Speed       string `from:"running_speed"`  // 10_Gbps_Full_Duplex
	ActorSync   string `from:"actor_sync"`     // IN_SYNC, OUT_OF_SYNC
	Partner     string `from:"partner_system"` // 74-A2-E6-8C-1D-C0
	PartnerSync string `from:"partner_sync"`
}

// Trunk is a trunk adapter.
type Trunk struct {
	Name     string `from:"adapter"`
	Location string `from:"hardware_path"`
	Priority *int   `from:"priority"`
	Active   *bool
	PVID     *int   `from:"port_vlan_id"`
	VSwitch  string `from:"vswitch"`
	VLANs    []int  // tagged
}

var (
	title    = parse.Lazy(`^running lssea on (\S+)(?:[ |]+(\w+,\w+))?(?:[ |]+ioslevel (\S+))?`)
	sea      = parse.Lazy(`^SEA[ \t]*:[ \t]*(ent\d+)[ \t]*$`)
	setting  = parse.Lazy(`^([a-z][\w /]*?)[ \t]*:[ \t]*(.*?)[ \t]*$`)
	ornament = parse.Lazy(`^(?:[-+ ]+|` +
		`(?:ETHERCHANNEL|(?:REAL|VIRTUAL) ADAPTERS?|(?:NO )?CONTROL CHANNELS?|Virtual ethernet adapters are : .*))$`)
	adapter = regexp.MustCompile(`^ent\d+$`)
)

// Parse reads a report. Errors: parse.ErrNotRecognised without its title or
// without any SEA.
func Parse(text []byte) (*Report, error) {
	r := &Report{}
	var on *SEA
	var columns []string
	titled := false
	r.Read(text, func(l parse.Line) bool {
		s := strings.TrimSpace(strings.Map(printed, l.Text))
		words := strings.Fields(s)
		m := title.FindStringSubmatch(s)
		switch q := setting.FindStringSubmatch(s); {
		case m != nil && !titled:
			r.Host = m[1]
			r.System = m[2]
			r.Level = m[3]
			titled = true
		case sea.MatchString(s):
			on, columns = &SEA{Name: sea.FindStringSubmatch(s)[1]}, nil
			r.SEAs = append(r.SEAs, on)
		case ornament.MatchString(s):
		case len(words) > 2 && words[0] == "adapter":
			columns = words
		case on != nil && columns != nil && adapter.MatchString(words[0]):
			return on.row(columns, words)
		case q != nil:
			return on == nil || on.set(q[1], q[2])
		default:
			return false
		}
		return true
	})
	for _, x := range r.SEAs {
		x.dropUnbridged()
	}
	return parse.Recognised(r, titled && r.SEAs != nil)
}

// printed drops the shifts of the character set with which tput ends colours.
func printed(c rune) rune {
	if c == '\x0e' || c == '\x0f' {
		return -1
	}
	return c
}

// set takes a line with a label; false if its value is none.
func (x *SEA) set(name, value string) bool {
	switch name {
	case "ha_mode":
		x.Mode = value
	case "state":
		x.State = value
	case "priority":
		x.Priority = number(value)
		return x.Priority != nil
	case "vlans":
		var ok bool
		x.VLANs, ok = numbers(strings.Fields(value))
		return ok
	case "flags":
		x.Flags = strings.Fields(value)
	case "number of adapters", "become backup/primary", "ctl_chan port_vlan_id", "ctl_chan":
	default:
		return false
	}
	return true
}

// row takes a line of a table by the names of its columns. The columns of LACP
// stay empty at ports that run none.
func (x *SEA) row(columns, words []string) bool {
	at := map[string]string{}
	for i, w := range words[:min(len(words), len(columns))] {
		at[columns[i]] = w
	}
	get := func(name string) string { return at[name] }
	has := func(name string) bool { return slices.Contains(columns, name) }
	switch {
	case len(words) > len(columns):
		return false
	case has("phys_adapters") && len(words) == len(columns):
		x.Channel = &Channel{Members: strings.Split(at["phys_adapters"], ",")}
		parse.Fill(x.Channel, get)
	case has("link") && (len(words) == len(columns) || len(words) == slices.Index(columns, "running_speed")+1):
		up, ok := truth(at["link"], "Up", "Down")
		p := Port{Up: up}
		parse.Fill(&p, get)
		x.Ports = append(x.Ports, p)
		return ok
	case has("active") && len(words) >= len(columns)-1:
		active, ok := truth(at["active"], "True", "False")
		tags, fine := numbers(strings.FieldsFunc(at["vlan_tags_ids"], func(c rune) bool { return c == ',' }))
		t := Trunk{Active: active, VLANs: tags}
		parse.Fill(&t, get)
		x.Trunks = append(x.Trunks, t)
		return ok && (fine || strings.EqualFold(at["vlan_tags_ids"], "none")) && t.PVID != nil
	case has("port_vlan_id") && !has("active"): // of the control channel
		x.Control = at["adapter"]
	default:
		return false
	}
	return true
}

// dropUnbridged drops tags that the SEA does not bridge: of a trunk adapter without any
// the script prints the priority in their place.
func (x *SEA) dropUnbridged() {
	for i := range x.Trunks {
		t := &x.Trunks[i]
		if x.VLANs != nil {
			t.VLANs = slices.DeleteFunc(t.VLANs, func(v int) bool { return !slices.Contains(x.VLANs, v) })
		}
	}
}

func truth(word, yes, no string) (*bool, bool) {
	if word != yes && word != no {
		return nil, false
	}
	return new(word == yes), true
}

func number(s string) *int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

func numbers(words []string) (out []int, ok bool) {
	for _, w := range words {
		n := number(w)
		if n == nil || *n > 4095 {
			return nil, false
		}
		out = append(out, *n)
	}
	return out, true
}
