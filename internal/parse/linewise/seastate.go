package linewise

import "seaworthy/internal/parse"

// SEAState is what grep State leaves of entstat of an SEA: its state, and those of its virtual adapters, which say nothing.
type SEAState struct {
	parse.Report
	State string `json:"state"`
	Line  int    `json:"-"` // 1-based
}

var seaStateForm = parse.Lazy(`^\s*State: +(PRIMARY|BACKUP|PRIMARY_SH|BACKUP_SH|STANDBY|LIMBO|UNHEALTHY|RECOVERY|NOTIFY|INIT)\s*$`)

var seaStateOutput = &output[SEAState]{
	name: "entstat-state", ignored: parse.Lazy(`^\s*(?:LAN State|Priority|Active|Bridge Mode|High Availability Mode|(?:Limbo|Keep-Alive) Packets): `),
	rows: []line[SEAState]{func(s *SEAState, l parse.Line) bool {
		m := seaStateForm.FindStringSubmatch(l.Text)
		if m == nil || s.State != "" { // of two SEAs none is meant
			return false
		}
		s.State, s.Line = m[1], l.Number
		return true
	}},
}

// ParseSEAState reads the lines; parse.ErrNotRecognised if none is the state of an SEA.
func ParseSEAState(text []byte) (*SEAState, error) { return seaStateOutput.parse(text) }
