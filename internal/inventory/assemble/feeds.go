package assemble

import (
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// feed makes part of a host out of one kind of output. Lower orders come
// first: devices, then what the ODM says of them, then what runs.
type feed struct {
	order int
	with  func(*hostBuilder, Output) error
}

// row says which outputs, by their ids in the registry, feed what. Each file has the rows of its own type.
type row struct {
	ids string
	feed
}

// table are the feeds by the id of the output in the registry.
var table = func() map[string]feed {
	out := map[string]feed{}
	for _, r := range slices.Concat(
		// AIX and VIOS
		deviceRows, attributeRows, optionRows, clientRows, statisticsRows, lsseasRows, interfaceRows, systemRows, routeRows,
		partitionRows, processorRows, serviceRows,
		// Linux. What ip and ethtool say comes last: it wins over sysfs.
		netdevRows, ethtoolRows, kernelRows, messageRows, sysfsRows, openVSwitchRows, domainRows, persistenceRows,
		// what somebody measured and saved
		measuredRows, metricRows,
	) {
		for id := range strings.FieldsSeq(r.ids) {
			if _, twice := out[id]; twice {
				panic("assemble: two feeds of " + id)
			}
			out[id] = r.feed
		}
	}
	return out
}()

// Evaluates reports whether an inventory takes anything from an output: whether there is a feed of its kind, and of an
// HMC's list whether anything in it is taken.
func Evaluates(o Output) bool {
	if !strings.HasPrefix(o.ID, "hmc-") {
		_, taken := table[o.ID]
		return taken
	}
	c := &hmcLists{systems: map[string]string{}, runs: map[partition]model.Platform{}}
	c.take([]Output{o})
	return len(c.systems)+len(c.runs)+len(c.Adapters)+len(c.Shares) > 0
}

// feeds is a feed of what the registry's codec makes of an output.
func feeds[Feed ~struct{ *hostBuilder }, T any](order int, with func(Feed, Output, *T)) feed {
	return feed{order, func(b *hostBuilder, o Output) error {
		v, err := registry.Find(o.ID).Parse(o.Text, o.Command)
		if err != nil {
			return err
		}
		x, ok := any(v).(*T)
		if !ok {
			return fmt.Errorf("%s: its codec gives a %T", o.ID, v)
		}
		b.said(o, v.Reading())
		with(Feed{b}, o, x)
		return nil
	}}
}

// feedsText is a feed of an output as it was printed.
func feedsText[Feed ~struct{ *hostBuilder }](order int, with func(Feed, Output) error) feed {
	return feed{order, func(b *hostBuilder, o Output) error { return with(Feed{b}, o) }}
}

// answersBlank reports whether a command that prints nothing has answered.
func answersBlank(id string) bool {
	e := registry.Find(id)
	return e != nil && e.Blank
}
