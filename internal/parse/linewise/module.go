package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// Module is ethtool -m of Linux: what a transceiver (SFP, QSFP) says of itself and measures of its light and heat.
type Module struct {
	parse.Report
	Readings []*ModuleReading `json:"readings,omitempty"`
	Limits   []*ModuleLimit   `json:"limits,omitempty"`
	Flags    []*ModuleFlag    `json:"flags,omitempty"`
	// Unflagged says that the module has no flags of alarms and warnings: ethtool prints them all the same.
	Unflagged bool `json:"unflagged,omitempty"`
}

// ModuleQuantity is a quantity of a transceiver that ethtool judges by limits of its maker.
type ModuleQuantity string

// Quantities of a transceiver: light in mW, temperature in °C.
const (
	ReceivedLight ModuleQuantity = "received light"
	SentLight     ModuleQuantity = "sent light"
	Temperature   ModuleQuantity = "temperature"
)

// ModuleReading is what a transceiver measures of a quantity, of one lane where it has several.
type ModuleReading struct {
	Of    ModuleQuantity `json:"of"`
	Value float64        `json:"value"`
	Line  int            `json:"-"` // 1-based
}

// ModuleLimit is a limit of a quantity.
type ModuleLimit struct {
	Of    ModuleQuantity `json:"of"`
	High  bool           `json:"high"`
	Alarm bool           `json:"alarm"` // false: a warning
	Value float64        `json:"value"`
}

// ModuleFlag is an alarm or a warning of a quantity, on or off.
type ModuleFlag struct {
	Of    ModuleQuantity `json:"of"`
	Alarm bool           `json:"alarm"`
	On    bool           `json:"on"`
	Line  int            `json:"-"` // 1-based
}

const moduleLane = ` ?(?:\((?:Channel|Chan|Ch) ?\d+\))?`

var (
	moduleLine   = parse.Lazy(`^\s*(\S.*?)\s*:(?:\s+(.*))?$`)
	moduleAmount = parse.Lazy(`^(-?\d+(?:\.\d+)?) ?(?:mW|degrees C)\b`)
	moduleLimit  = parse.Lazy(`^(.*) (high|low) (alarm|warning) threshold$`)
	moduleFlag   = parse.Lazy(`^(.*) (?:high|low) (alarm|warning)` + moduleLane + `$`)
	// moduleNames are what ethtool calls the quantities: of an SFP, of a QSFP, in limits and flags.
	moduleNames = []struct {
		of   ModuleQuantity
		form *parse.Pattern
	}{
		{ReceivedLight, parse.Lazy(`^(?:Receiver signal average optical power|Rcvr signal avg optical power|Laser rx power)` + moduleLane + `$`)},
		{SentLight, parse.Lazy(`^(?:Laser output power|Transmit avg optical power|Laser tx power)` + moduleLane + `$`)},
		{Temperature, parse.Lazy(`^Module temperature$`)},
	}
)

var moduleOutput = &output[Module]{
	name:       "module",
	heading:    parse.Lazy(`^\s*Identifier\s+: 0x`),
	rows:       []line[Module]{(*Module).readLine},
	ended:      true,
	recognised: func(m *Module) bool { return len(m.Readings)+len(m.Limits)+len(m.Flags) > 0 },
}

// ParseModule reads an output; parse.ErrNotRecognised of a module that measures nothing, as cables of copper do.
func ParseModule(text []byte) (*Module, error) { return moduleOutput.parse(text) }

func (m *Module) readLine(l parse.Line) bool {
	name, value := "", ""
	if !moduleLine.Scan(l.Text, &name, &value) {
		return false
	}
	amount, measured := 0.0, false
	measured = moduleAmount.Scan(value, &amount)
	of, edge, grade := quantityOf(name), "", ""
	switch {
	case name == "Alarm/warning flags implemented":
		m.Unflagged = value != "Yes"
	case of != "" && measured:
		m.Readings = append(m.Readings, &ModuleReading{Of: of, Value: amount, Line: l.Number})
	case moduleLimit.Scan(name, &name, &edge, &grade):
		of = quantityOf(name)
		if of != "" && measured {
			m.Limits = append(m.Limits, &ModuleLimit{Of: of, High: edge == "high", Alarm: grade == "alarm", Value: amount})
		}
	case moduleFlag.Scan(name, &name, &grade):
		of = quantityOf(name)
		if of != "" && (value == "On" || value == "Off") {
			m.Flags = append(m.Flags, &ModuleFlag{Of: of, Alarm: grade == "alarm", On: value == "On", Line: l.Number})
		}
	}
	return true
}

// quantityOf is the quantity of a name; empty if it is none that is judged.
func quantityOf(name string) ModuleQuantity {
	for _, n := range moduleNames {
		if n.form.MatchString(strings.TrimSpace(name)) {
			return n.of
		}
	}
	return ""
}

// Degrees of what a transceiver measures.
const (
	WithinLimits = 0
	WarningLimit = 1 // beyond the limit of a warning
	AlarmLimit   = 2 // beyond that of an alarm
)

// Worst is how far what the module measures is beyond its limits, of the quantity that is farthest, and the line that shows
// it. Values decide where both they and their limits are known: flags latch, and some modules raise wrong ones. False: nothing
// could be judged.
func (m *Module) Worst() (degree, line int, known bool) {
	take := func(d, at int) {
		if d > degree || line == 0 {
			degree, line = d, at
		}
		known = true
	}
	judged := map[ModuleQuantity]bool{}
	for _, r := range m.Readings {
		for _, limit := range m.Limits {
			if limit.Of != r.Of || limit.Value == 0 && limit.Of != Temperature {
				continue // a module without limits has zeros
			}
			judged[r.Of] = true
			take(limit.exceeded(r.Value), r.Line)
		}
	}
	for _, f := range m.Flags {
		switch {
		case m.Unflagged || judged[f.Of]:
		case !f.On:
			take(WithinLimits, f.Line)
		case f.Alarm:
			take(AlarmLimit, f.Line)
		default:
			take(WarningLimit, f.Line)
		}
	}
	return degree, line, known
}

// exceeded is the degree of a value by one limit.
func (l *ModuleLimit) exceeded(value float64) int {
	switch {
	case l.High && value <= l.Value, !l.High && value >= l.Value:
		return WithinLimits
	case l.Alarm:
		return AlarmLimit
	}
	return WarningLimit
}
