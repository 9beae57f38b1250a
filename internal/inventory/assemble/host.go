package assemble

import (
	"bytes"
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"seaworthy/internal/inventory/model"
)

// Output holds what one command printed.
type Output struct {
	ID        string // catalogued name of the command: "lsattr-El"
	Element   string // device it was about, or empty
	Attribute string // lsattr-Rl: the attribute asked for
	Command   string // as run, for evidence
	Text      []byte
	Exit      int
	Problem   string // the command did not run to its end, or printed an error

	cut   bool // it ended in the middle of a line
	index *index
}

// About holds what the collector knows of a host apart from its outputs.
type About struct {
	Name     string
	Platform model.Platform
	User     string
	Taken    time.Time
}

// Host builds a host from its outputs, in any order. It always gives a host;
// what could not be read is in its gaps.
func Host(about About, outputs []Output) *model.Host {
	b := &hostBuilder{
		found: map[string][]netip.Addr{}, odm: map[string]bool{}, left: map[string]bool{},
		tunnels: map[string]netip.Addr{}, addressed: map[ofElement]bool{}, protocols: map[string]uint64{},
		host: &model.Host{Name: about.Name, Platform: about.Platform, User: about.User, Taken: about.Taken,
			Elements: map[string]*model.Element{}},
	}
	// Devices come first: attributes and counters hang on them.
	outputs = slices.Clone(outputs)
	slices.SortStableFunc(outputs, func(x, y Output) int { return table[x.ID].order - table[y.ID].order })
	from := sources{b.host, map[*model.Element]reading{}}
	for _, o := range outputs {
		read, ok := table[o.ID]
		if !ok {
			continue
		}
		if len(bytes.TrimSpace(o.Text)) == 0 && !(answersBlank(o.ID) && o.Problem == "" && o.Exit == 0) {
			// ethtool fails where a driver has nothing of that kind.
			if o.Problem != "" || o.Exit != 0 && !strings.HasPrefix(o.ID, "ethtool") {
				b.gap(o.Command, cmp.Or(o.Problem, "printed nothing"))
			}
			continue
		}
		if err := read.with(b, b.dropPartialLine(o)); err != nil {
			b.gap(o.Command, err.Error())
		} else if o.Problem != "" {
			b.gap(o.Command, o.Problem)
		}
		from.note(o)
	}
	if about.Platform == model.Linux {
		netdevFeed{b}.underlays()
		netdevFeed{b}.netdevs()
	} else {
		deviceFeed{b}.structure()
		interfaceFeed{b}.addresses()
		processorFeed{b}.figures()
	}
	b.host.Protocols = model.CountersOf(b.protocols)
	if n := len(b.left); n > 0 { // said of the host itself, and first: it was not read completely
		g := model.Gap{What: b.host.Name, Why: fmt.Sprintf("only the first %d of %d adapters and interfaces were looked at",
			maxElements, maxElements+n)}
		b.host.Gaps = slices.Insert(b.host.Gaps, 0, g)
	}
	return b.host
}

// plainBlanks makes blanks of the hard blanks that copies from pages and mails
// have, in UTF-8 or in a text of one byte a character.
func plainBlanks(text []byte) []byte {
	switch {
	case bytes.IndexByte(text, 0xa0) < 0:
		return text
	case utf8.Valid(text):
		return bytes.ReplaceAll(text, []byte("\u00a0"), []byte(" "))
	}
	return bytes.ReplaceAll(text, []byte{0xa0}, []byte(" "))
}
