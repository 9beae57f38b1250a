package entstat

import (
	"math"
	"slices"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/labels"
)

// Link is the state of the adapter's link and its speed in Mbit/s as running
// now, not as selected; nil for what is not printed or not a speed. The
// Adapter Data Rate is not a link speed.
func (s *Statistics) Link() (up *bool, speedMbit *int64) {
	for _, f := range s.Fields {
		if f.Kind != labels.Value {
			continue
		}
		if labels.HasPrefix(f.Label, "LAN State") {
			up = worse(up, lanState(f.String()))
		}
		for _, label := range []string{"Link Status", "Link State", "Physical Port Link Status", "Physical Port Link State",
			"Logical Port Link Status", "Logical Port Link State"} {
			if labels.Same(f.Label, label) {
				up = worse(up, upDown(f.String()))
			}
		}
	}
	for _, label := range speedLabels {
		if speed := megabits(s.find(label).String()); speed != nil {
			return up, speed
		}
	}
	return up, nil
}

// speedLabels are how drivers call the speed that runs.
var speedLabels = []string{"Media Speed Running", "Physical Port Speed", "Port Speed", "Logical Port Speed", "Link Speed"}

// Duplex is half or full, as it runs now; empty where it is not printed.
func (s *Statistics) Duplex() string {
	for _, label := range speedLabels {
		words := strings.Fields(strings.ToLower(s.find(label).String()))
		i := slices.Index(words, "duplex")
		if i > 0 && (words[i-1] == "half" || words[i-1] == "full") {
			return words[i-1]
		}
	}
	return ""
}

// worse joins the states of the physical and the logical port: a link is up
// only if none is down.
func worse(a, b *bool) *bool {
	if a == nil || b != nil && !*b {
		return b
	}
	return a
}

// The words of drivers for a link, for the LAN of a virtual adapter, and for a feature.
var (
	linkWords = map[string]bool{"up": true, "down": false}
	lanWords  = map[string]bool{"operational": true, "lan_operational": true, "not operational": false, "non operational": false,
		"non-operational": false, "inoperative": false, "down": false}
	featureWords = map[string]bool{"enabled": true, "on": true, "yes": true, "true": true,
		"disabled": false, "off": false, "no": false, "false": false}
)

// meaning returns what a word says; nil if it is none of these.
func meaning(words map[string]bool, text string) *bool {
	if yes, known := words[strings.ToLower(text)]; known {
		return &yes
	}
	return nil
}

func upDown(text string) *bool {
	word, _, _ := strings.Cut(text, " ")
	return meaning(linkWords, word)
}

// lanState reads "Operational" and the state names of newer levels,
// LAN_OPERATIONAL among them.
func lanState(text string) *bool {
	if state := meaning(lanWords, text); state != nil || !labels.HasPrefix(text, "lan_") {
		return state
	}
	return new(false)
}

var speedForm = parse.Lazy(`(?i)^([0-9.]+)[ \t]*([mg])b(?:ps|/s|its?/s)(?:[ \t,].*)?$`)

// megabits reads "1000 Mbps Full Duplex", "10Gbps", "1 Gbps Full Duplex",
// "2.5 Gbit/s".
func megabits(text string) *int64 {
	value, prefix := 0.0, ""
	ok := speedForm.Scan(text, &value, &prefix)
	if strings.EqualFold(prefix, "g") {
		value *= 1000
	}
	if !ok || value > 1e10 || value != math.Trunc(value) {
		return nil
	}
	return new(int64(value))
}

// Feature is something an adapter can do for the stack, under one name for all
// drivers.
type Feature int

const (
	LargeSend         Feature = iota // TCP segmentation offload
	LargeReceive                     // TCP segment aggregation on receive
	JumboFrames                      // frames above 1518 bytes
	TransmitChecksum                 // checksum offload on transmit
	ReceiveChecksum                  // checksum offload on receive
	FlowControl                      // IEEE 802.3x pause frames
	PlatformLargeSend                // l-lan: largesend frames passed whole through the hypervisor
)

// wording is how drivers name a feature: a label that has one of these, and
// none of the others, says its state.
var wording = map[Feature]struct{ any, none []string }{
	LargeSend:        {[]string{"segmentation offload", "large send", "largesend"}, []string{"platform", "receive", "total"}},
	LargeReceive:     {[]string{"segment aggregation", "large receive", "receive offload"}, []string{"checksum"}},
	JumboFrames:      {[]string{"jumbo frame"}, nil},
	TransmitChecksum: {[]string{"checksum offload", "checksum offloading"}, []string{"receive", "rx"}},
	ReceiveChecksum: {[]string{"receive checksum", "receive tcp checksum", "receive ip checksum", "receive tcp/ip checksum",
		"rx checksum"}, nil},
	FlowControl:       {[]string{"flow control"}, []string{"priority", "threshold"}},
	PlatformLargeSend: {[]string{"platform large send offload"}, nil},
}

// Offload is the state of a feature as the driver prints it, nil if it does
// not. For a driver that prints no such line, see the driver flags: LargeSend,
// ChecksumOffload, LARGE_RECEIVE.
func (s *Statistics) Offload(feature Feature) *bool {
	words := wording[feature]
	for _, f := range s.Fields {
		if f.Kind != labels.Value || f.Text == "" || f.Cut {
			continue
		}
		state := enabled(f.Text)
		if state == nil {
			continue
		}
		label := strings.ToLower(f.Label)
		has := func(words ...string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(label, w) })
		}
		if has(words.any...) && !has(words.none...) && !has("changeable", "support", "capab") {
			return state
		}
	}
	return nil
}

func enabled(text string) *bool { return meaning(featureWords, text) }
