package entstat

import (
	"slices"
	"strings"
	"time"

	"seaworthy/dialect"
	"seaworthy/dialect/labels"
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

// Elapsed is the time since the counters were reset; nil if not printed.
func (s *Statistics) Elapsed() *time.Duration {
	words := strings.Fields(s.find("Elapsed Time").String())
	// The seconds come last: without them the line was cut off.
	if len(words) < 2 || len(words)%2 != 0 || units[strings.TrimSuffix(strings.ToLower(words[len(words)-1]), "s")] != time.Second {
		return nil
	}
	var total time.Duration
	for i := 0; i < len(words); i += 2 {
		n, ok := dialect.Count(words[i])
		unit := units[strings.TrimSuffix(strings.ToLower(words[i+1]), "s")]
		if !ok || unit == 0 || n > 1e6 {
			return nil
		}
		total += time.Duration(n) * unit
	}
	return &total
}

var units = map[string]time.Duration{"day": 24 * time.Hour, "hour": time.Hour, "minute": time.Minute, "second": time.Second}

// Flags are the driver's flags: Up, Running, LargeSend. Nil if not printed.
func (s *Statistics) Flags() []string {
	var all []string
	for _, f := range s.Fields {
		if f.Kind == labels.List && labels.HasSuffix(f.Label, "Driver Flags") {
			all = append(all, f.Items...)
		}
	}
	return all
}

// FlagsWhole says that the driver's flags are all there and readable, so that
// one that is missing is not set.
func (s *Statistics) FlagsWhole() bool {
	damaged := func(item string) bool { return item == "" || !labels.AreWords(item) }
	return !slices.ContainsFunc(s.Fields, func(f *Field) bool {
		return f.Kind == labels.List && labels.HasSuffix(f.Label, "Driver Flags") && (f.Cut || slices.ContainsFunc(f.Items, damaged))
	})
}
