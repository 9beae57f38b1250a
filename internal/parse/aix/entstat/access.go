package entstat

import (
	"slices"
	"strings"
	"time"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// find is the first field with one of these labels that has a value.
func (s *Statistics) find(names ...string) *Field { return labels.Find(s.Fields, names...) }

// The headings under which an SEA and an EtherChannel print their own part.
const (
	sharedHeading  = "Statistics for adapters in the"
	channelHeading = "Statistics for every adapter in the"
)

// heading is the first heading that begins so, of the SEA's own section or the EtherChannel's.
func (s *Statistics) heading(begin string) *Field {
	i := slices.IndexFunc(s.Fields, func(f *Field) bool { return f.Kind == labels.Heading && labels.HasPrefix(f.Label, begin) })
	if i < 0 {
		return nil
	}
	return s.Fields[i]
}

// DeviceType is the driver's name for the adapter: "Virtual I/O Ethernet
// Adapter (l-lan)". Empty if none is printed.
func (s *Statistics) DeviceType() string { return s.find("Device Type").String() }

// HardwareAddress is the MAC address as printed, aa:bb:cc:dd:ee:ff. Empty if
// none is printed, or a damaged one.
func (s *Statistics) HardwareAddress() string {
	mac := s.find("Hardware Address").String()
	if len(mac) != 17 || strings.Count(mac, ":") != 5 {
		return ""
	}
	return mac
}

// elapsedForm ends in the seconds: without them the line was cut off.
var elapsedForm = parse.Lazy(`(?i)^(?:(\d{1,6})\s+days?\s+)?(?:(\d{1,6})\s+hours?\s+)?` +
	`(?:(\d{1,6})\s+minutes?\s+)?(\d{1,6})\s+seconds?\s*$`)

// Elapsed is the time since the counters were reset; nil if not printed.
func (s *Statistics) Elapsed() *time.Duration {
	var days, hours, minutes, seconds int
	if !elapsedForm.Scan(s.find("Elapsed Time").String(), &days, &hours, &minutes, &seconds) {
		return nil
	}
	return new(time.Duration(((days*24+hours)*60+minutes)*60+seconds) * time.Second)
}

// driverFlags are the lists of the driver's flags.
func (s *Statistics) driverFlags(yield func(*Field) bool) {
	for _, f := range s.Fields {
		if f.Kind == labels.List && labels.HasSuffix(f.Label, "Driver Flags") && !yield(f) {
			return
		}
	}
}

// Flags are the driver's flags: Up, Running, LargeSend. Nil if not printed.
func (s *Statistics) Flags() (all []string) {
	for f := range s.driverFlags {
		all = append(all, f.Items...)
	}
	return all
}

// FlagsWhole says that the driver's flags are all there and readable, so that
// one that is missing is not set.
func (s *Statistics) FlagsWhole() bool {
	for f := range s.driverFlags {
		if f.Cut || slices.ContainsFunc(f.Items, func(item string) bool { return item == "" || !labels.AreWords(item) }) {
			return false
		}
	}
	return true
}
