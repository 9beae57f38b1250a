package ovsvsctl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"seaworthy/dialect"
)

// Parse reads tables in JSON, or else the text of show. Errors: dialect.ErrNotRecognised
// if there is no table of Open vSwitch and no bridge.
func Parse(text []byte) (*Switch, error) {
	s := &Switch{}
	lines := dialect.Lines(text, &s.Report)
	t := tables{}
	var shown []dialect.Line
	for _, l := range lines {
		if !strings.HasPrefix(l.Text, "{") {
			shown = append(shown, l)
		} else if !t.add(l.Text) {
			s.NotUnderstood(l)
		}
	}
	s.show(shown)
	if len(t) == 0 && len(s.Bridges) == 0 {
		return nil, fmt.Errorf("ovs-vsctl: %w", dialect.ErrNotRecognised)
	}
	t.fill(s)
	return s, nil
}

// tables are those printed, by name.
type tables map[string]*table

type table struct {
	rows []row
	at   map[string]row // by UUID
}

type row map[string]any

// telling is a column that only one table has.
var telling = map[string]string{"bridges": "Open_vSwitch", "ovs_version": "Open_vSwitch", "ports": "Bridge", "interfaces": "Port",
	"link_state": "Interface", "ofport": "Interface"}

// add reads one table. False if it is none that is known.
func (t tables) add(line string) bool {
	var printed struct {
		Headings []string `json:"headings"`
		Data     [][]any  `json:"data"`
	}
	d := json.NewDecoder(bytes.NewReader([]byte(line)))
	d.UseNumber() // an integer has 64 bits
	if d.Decode(&printed) != nil || d.More() {
		return false
	}
	name := ""
	for _, h := range printed.Headings {
		if of := telling[h]; of != "" {
			name = of
		}
	}
	if name == "" {
		return false
	}
	read := &table{at: map[string]row{}}
	for _, cells := range printed.Data {
		if len(cells) != len(printed.Headings) {
			return false
		}
		r := row{}
		for i, h := range printed.Headings {
			r[h] = cells[i]
		}
		read.rows, read.at[r.text("_uuid")] = append(read.rows, r), r
	}
	t[name] = read
	return true
}

// fill makes the switch of its tables.
func (t tables) fill(s *Switch) {
	for _, r := range t.rows("Open_vSwitch") {
		s.Version = r.text("ovs_version")
		s.Config = r.pairs("other_config")
	}
	for _, b := range t.rows("Bridge") {
		bridge := &Bridge{Name: b.text("name")}
		for _, p := range t.named(s, "Port", b.set("ports")) {
			port := &Port{Name: p.text("name"), Tag: p.number("tag"), BondMode: p.text("bond_mode"), LACP: p.text("lacp")}
			for _, v := range p.set("trunks") {
				if n := whole(v); n != nil {
					port.Trunks = append(port.Trunks, *n)
				}
			}
			for _, i := range t.named(s, "Interface", p.set("interfaces")) {
				port.Interfaces = append(port.Interfaces, i.device())
			}
			bridge.Ports = append(bridge.Ports, port)
		}
		s.Bridges = append(s.Bridges, bridge)
	}
}

func (r row) device() *Interface {
	i := &Interface{Name: r.text("name"), Type: r.text("type"), MTU: r.number("mtu"), Speed: r.number("link_speed"),
		Peer: r.pairs("options")["peer"], Remote: r.pairs("options")["remote_ip"], Error: r.text("error")}
	if state := r.text("link_state"); state == "up" || state == "down" {
		i.Up = new(state == "up")
	}
	return i
}

func (t tables) rows(name string) []row {
	if t[name] == nil {
		return nil
	}
	return t[name].rows
}

// named are the rows of a table that another one names: each is part of one row only.
func (t tables) named(s *Switch, name string, uuids []any) (out []row) {
	for _, u := range uuids {
		id := uuid(u)
		if t[name] == nil || id == "" || t[name].at[id] == nil {
			s.Warn(0, "a row of "+name+" is named that was not printed")
			continue
		}
		out = append(out, t[name].at[id])
		delete(t[name].at, id)
	}
	return out
}

// text is a string, or the UUID of a row; empty without one.
func (r row) text(column string) string {
	if s, ok := r[column].(string); ok {
		return s
	}
	return uuid(r[column])
}

func (r row) number(column string) *int { return whole(r[column]) }

// whole is a number; nil if it is none.
func whole(v any) *int {
	if n, ok := v.(json.Number); ok {
		if i, err := n.Int64(); err == nil && i >= 0 {
			return new(int(i))
		}
	}
	return nil
}

// set are the values of a column, however many.
func (r row) set(column string) []any {
	if list, ok := of("set", r[column]); ok {
		return list
	}
	if r[column] == nil {
		return nil
	}
	return []any{r[column]}
}

// pairs are a map's; nil if the column was not printed.
func (r row) pairs(column string) map[string]string {
	list, ok := of("map", r[column])
	if !ok {
		return nil
	}
	out := map[string]string{}
	for _, x := range list {
		if pair, _ := x.([]any); len(pair) == 2 {
			k, _ := pair[0].(string)
			out[k], _ = pair[1].(string)
		}
	}
	return out
}

func uuid(v any) string {
	if pair, _ := v.([]any); len(pair) == 2 && pair[0] == "uuid" {
		s, _ := pair[1].(string)
		return s
	}
	return ""
}

// of is what ["set", [...]] or ["map", [...]] holds.
func of(kind string, v any) ([]any, bool) {
	pair, _ := v.([]any)
	if len(pair) != 2 || pair[0] != kind {
		return nil, false
	}
	list, ok := pair[1].([]any)
	return list, ok
}
