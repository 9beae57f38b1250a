package lsmap

import (
	"strings"

	"seaworthy/dialect"
)

// Fields of lsmap -net -fmt in their order; older levels have no status.
var (
	sixFields  = []field{fieldName, fieldPhysLoc, fieldSEA, fieldBacking, fieldStatus, fieldBackingLoc}
	fiveFields = []field{fieldName, fieldPhysLoc, fieldSEA, fieldBacking, fieldBackingLoc}

	locationShape = dialect.Lazy(`^U[0-9A-Z]{2,}[\w.-]*$`)
)

// delimited reads a line of -fmt or -fmt2.
func (r *reader) delimited(i int) bool {
	f := fmtShape.FindStringSubmatch(strings.TrimRight(r.lines[i], "\r"))
	if f == nil || r.m.Delimiter != "" && r.m.Delimiter != f[2] {
		return false
	}
	delimiter := f[2]
	values := strings.Split(f[0], delimiter)
	if len(values) < 3 || !locationShape.MatchString(values[1]) {
		return false
	}
	tail := r.lines[i][len(f[0]):]
	if !strings.HasPrefix(values[0], "ent") {
		return r.otherDelimited(i, values, delimiter, tail)
	}
	order := sixFields
	if len(values) == 5 && values[2] != noSEA {
		order = fiveFields
	}
	if len(values) > len(order) || len(values) < 5 && values[2] != noSEA {
		return false
	}
	b := len(r.m.Adapters)
	a := Adapter{Line: i + 1}
	var parts []part
	for k, v := range values {
		p := part{value: &ref{block: b, field: order[k]}}
		if k > 0 {
			p.literal = delimiter
		}
		switch {
		case order[k] == fieldSEA && v == noSEA:
			a.NoSEA = true
		case strings.TrimSpace(v) == "":
			p.empty = v
		case order[k] == fieldSEA && !deviceShape.MatchString(v):
			return false
		default:
			*a.text(order[k]) = v
		}
		parts = append(parts, p)
	}
	r.m.Delimiter = delimiter
	r.whole[b] = true
	r.m.Adapters = append(r.m.Adapters, a)
	r.put(i, append(parts, part{literal: tail})...)
	return true
}

// otherDelimited reads the line of a vhost, vfchost or vnicserver.
func (r *reader) otherDelimited(i int, values []string, delimiter, tail string) bool {
	b := len(r.m.Others)
	o := Other{Name: values[0], Line: i + 1}
	parts := []part{{value: &ref{other: true, block: b, field: fieldName}}}
	for k, v := range values[1:] {
		p := part{literal: delimiter, value: &ref{other: true, block: b, field: fieldColumn, detail: k}}
		if strings.TrimSpace(v) == "" {
			p.empty, v = v, ""
		}
		o.Fields = append(o.Fields, v)
		parts = append(parts, p)
	}
	r.m.Delimiter = delimiter
	r.m.Others = append(r.m.Others, o)
	r.put(i, append(parts, part{literal: tail})...)
	return true
}
