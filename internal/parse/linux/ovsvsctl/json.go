package ovsvsctl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"seaworthy/internal/parse"
)

// Parse reads tables in JSON, or else the text of show. Errors: parse.ErrNotRecognised
// if there is no table of Open vSwitch and no bridge.
func Parse(text []byte) (*Switch, error) {
	s := &Switch{}
	t := tables{}
	var shown []parse.Line
	for _, l := range parse.Lines(text, &s.Report) {
		if !strings.HasPrefix(l.Text, "{") {
			shown = append(shown, l)
		} else if !t.add(l.Text) {
			s.NotUnderstood(l)
		}
	}
	s.show(shown)
	recognised := len(t) > 0 || len(s.Bridges) > 0
	t.fill(s)
	return parse.Recognised(s, recognised)
}

// tables are the rows of those printed, by name.
type tables map[string][]*row

// row is one of any table.
type row struct {
	UUID       string            `json:"_uuid"`
	Name       string            `json:"name"`
	Version    string            `json:"ovs_version"`
	Config     map[string]string `json:"other_config"`
	Ports      many[string]      `json:"ports"`
	Tag        *int              `json:"tag"`
	Trunks     many[int]         `json:"trunks"`
	BondMode   string            `json:"bond_mode"`
	LACP       string            `json:"lacp"`
	Interfaces many[string]      `json:"interfaces"`
	Type       string            `json:"type"`
	MTU        *int              `json:"mtu"`
	State      string            `json:"link_state"`
	Speed      *int              `json:"link_speed"`
	Options    map[string]string `json:"options"`
	Error      string            `json:"error"`
}

// many is a set, of which one with a single value is the value itself.
type many[T any] []T

// UnmarshalJSON takes either.
func (m *many[T]) UnmarshalJSON(text []byte) error {
	var one T
	if json.Unmarshal(text, &one) == nil {
		*m = []T{one}
		return nil
	}
	return json.Unmarshal(text, (*[]T)(m))
}

// telling is a column that only one table has.
var telling = map[string]string{"bridges": "Open_vSwitch", "ovs_version": "Open_vSwitch", "ports": "Bridge", "interfaces": "Port",
	"link_state": "Interface", "ofport": "Interface"}

// add reads one table. False if it is none that is known.
func (t tables) add(line string) bool {
	var printed struct {
		Headings []string `json:"headings"`
		Data     [][]any  `json:"data"`
	}
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber() // an integer has 64 bits
	err := d.Decode(&printed)
	if err != nil || d.More() {
		return false
	}
	name := ""
	for _, h := range printed.Headings {
		if of := telling[h]; of != "" {
			name = of
		}
	}
	rows := []*row{}
	for _, cells := range printed.Data {
		if len(cells) != len(printed.Headings) {
			return false
		}
		r := &row{}
		for i, h := range printed.Headings {
			r.take(h, cells[i])
		}
		rows = append(rows, r)
	}
	if name != "" {
		t[name] = rows
	}
	return name != ""
}

// take takes a column. A value of another type than its own is not known.
func (r *row) take(column string, v any) {
	text, err := json.Marshal(map[string]any{column: plain(v)})
	if err == nil && !bytes.HasSuffix(text, []byte(":[]}")) { // nothing
		_ = json.Unmarshal(text, r)
	}
}

// plain is a value as JSON has it: a list for a set, an object for a map, a text for a UUID.
func plain(v any) any {
	pair, _ := v.([]any)
	if len(pair) != 2 {
		return v
	}
	list, _ := pair[1].([]any)
	switch pair[0] {
	case "uuid":
		return pair[1]
	case "set":
		out := []any{}
		for _, x := range list {
			out = append(out, plain(x))
		}
		return out
	case "map":
		out := map[string]any{}
		for _, x := range list {
			if pair, _ := x.([]any); len(pair) == 2 {
				out[fmt.Sprint(pair[0])] = pair[1]
			}
		}
		return out
	}
	return v
}

// fill makes the switch of its tables.
func (t tables) fill(s *Switch) {
	for _, r := range t["Open_vSwitch"] {
		s.Version, s.Config = r.Version, r.Config
	}
	ports, interfaces := named("Port", t["Port"]), named("Interface", t["Interface"])
	for _, b := range t["Bridge"] {
		bridge := &Bridge{Name: b.Name}
		for _, p := range ports(s, b.Ports) {
			port := &Port{Name: p.Name, Tag: p.Tag, Trunks: p.Trunks, BondMode: p.BondMode, LACP: p.LACP}
			for _, r := range interfaces(s, p.Interfaces) {
				i := &Interface{Name: r.Name, Type: r.Type, MTU: r.MTU, Speed: r.Speed, Peer: r.Options["peer"],
					Remote: r.Options["remote_ip"], Error: r.Error}
				if r.State == "up" || r.State == "down" {
					i.Up = new(r.State == "up")
				}
				port.Interfaces = append(port.Interfaces, i)
			}
			bridge.Ports = append(bridge.Ports, port)
		}
		s.Bridges = append(s.Bridges, bridge)
	}
}

// named gives the rows of a table that another one names: each is part of one row only.
func named(table string, rows []*row) func(*Switch, []string) []*row {
	at := map[string]*row{}
	for _, r := range rows {
		at[r.UUID] = r
	}
	return func(s *Switch, uuids []string) (out []*row) {
		for _, id := range uuids {
			if at[id] == nil {
				s.Warn(0, "a row of "+table+" is named that was not printed")
				continue
			}
			out = append(out, at[id])
			delete(at, id)
		}
		return out
	}
}
