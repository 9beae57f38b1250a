package registry

import (
	"bytes"
	"slices"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/linux/iplink"
)

// tests distinguish, by their values, outputs that look alike.
var tests = map[string]func(parse.Value) bool{
	"service-pack":     oneLevel(func(l linewise.AIXLevel) bool { return l.ServicePack != nil }),
	"technology-level": oneLevel(func(l linewise.AIXLevel) bool { return l.ServicePack == nil && l.Dotted == "" }),
	"version":          oneLevel(func(l linewise.AIXLevel) bool { return l.Dotted != "" }),
	"several-levels":   fits(severalLevels),

	"interfaces-only": fits(func(l *lsdev.List) bool { return len(l.Devices) > 0 && !slices.ContainsFunc(l.Devices, noInterface) }),
	"other-devices": fits(func(l *lsdev.List) bool {
		return l.Form.Kind != lsdev.VIOS && slices.ContainsFunc(l.Devices, perhapsAdapter)
	}),
	"vios-devices":   fits(func(l *lsdev.List) bool { return l.Form.Kind == lsdev.VIOS && len(l.Devices) > 0 }),
	"attributes":     fits(func(l *lsattr.Listing) bool { return len(l.Attributes) > 0 }),
	"one-attribute":  fits(func(l *lsattr.Listing) bool { return l.Form.Kind == lsattr.Single }),
	"allowed-values": fits(func(l *lsattr.Listing) bool { return len(l.Allowed) > 0 && len(l.Attributes) == 0 }),
	"resources":      fits(func(l *lscfg.List) bool { return len(l.Resources) > 0 }),
	"adapters":       fits(func(m *lsmap.Map) bool { return len(m.Adapters) > 0 }),
	"names-only":     fits(func(c *ifconfig.Config) bool { return len(c.Interfaces) == 0 }),
	"one-adapter":    fits(func(l *entstat.Listing) bool { return counted(l) && len(l.Parts) <= 1 }),
	"several-adapters": fits(func(l *entstat.Listing) bool {
		return counted(l) && len(l.Parts) > 1
	}),

	"tunable-list":     fits(func(t *no.Tunables) bool { return t.Form == no.List }),
	"tunable-values":   fits(func(t *no.Tunables) bool { return t.Form != no.List }),
	"fields":           fits(func(o *lparstat.Output) bool { return len(o.Fields) > 0 && len(o.Tables) == 0 }),
	"no-table":         fits(func(o *lparstat.Output) bool { return len(o.Tables) == 0 }),
	"hypervisor-calls": fits(func(o *lparstat.Output) bool { return len(o.Tables) > 0 && len(o.Tables[0].Calls) > 0 }),

	"links":      fits(func(l *iplink.Links) bool { return len(l.Links) > 0 }),
	"routes":     fits(func(r *iplink.Routes) bool { return len(r.Routes) > 0 }),
	"understood": fits(func(l *hmc.List) bool { return len(l.Records) > 0 || len(l.Unknown) == 0 }),
	"no-records": fits(func(l *hmc.List) bool { return len(l.Records)+len(l.Unknown) == 0 }),
}

// requests decide whether a text without a mark is what the command line asked
// for.
var requests = map[string]func(command string, text []byte) bool{
	"asked":     func(_ string, text []byte) bool { return !IsMissing(text) },
	"few-words": func(_ string, text []byte) bool { return fewWords(text) },
	"devices": func(command string, text []byte) bool {
		return classAsked.MatchString(command) && deviceRow.Match(text)
	},
	"kernel-release":   func(_ string, text []byte) bool { return kernelRelease.Match(text) },
	"system-name":      func(_ string, text []byte) bool { return systemName.Match(text) },
	"unnumbered-links": func(_ string, text []byte) bool { return unnumberedLink.Match(text) },
	"fields-named":     func(command string, _ []byte) bool { return strings.Contains(command, "-F") },
}

// unnumberedLink is the first line of a device as ip prints it, without the device's number.
var unnumberedLink = parse.Lazy(`(?m)^[A-Za-z][\w.@-]*: <[A-Z0-9_,-]*>.* mtu \d+`)

var (
	// missing is what a shell answers that does not find a program.
	missing = parse.Lazy(`\A[^\n]*(?i:not found|no such file|not recognized|command unknown)[^\n]*\n?\z`)
	// classAsked is lsdev asked for the devices of a class, or for one device.
	classAsked = parse.Lazy(`lsdev[ \t].*-\w*[cl] ?\w`)
	// deviceRow is a row of lsdev -Cc.
	deviceRow = parse.Lazy(`(?m)^[ \t]*\S+[ \t]+(?:Available|Defined|Stopped)\b`)
	// kernelRelease is all that Linux prints for uname -r, with what distributions add: 5.14.0-70.el9.ppc64le.
	kernelRelease = parse.Lazy(`\A\s*\d+\.\d+\.\d+[\w.+~-]*\s*\z`)
	// systemName is all that uname prints without an option.
	systemName = parse.Lazy(`\A\s*(?:Linux|AIX)\s*\z`)
)

// IsMissing reports whether a text is what a shell answers that does not find a program.
func IsMissing(text []byte) bool { return missing.Match(text) }

// fits is a test of a codec's values.
func fits[T any](test func(*T) bool) func(parse.Value) bool {
	return func(v parse.Value) bool {
		x, ok := any(v).(*T)
		return ok && test(x)
	}
}

// columns is the test of an HMC list: it has one of some columns and none of others.
func columns(has, lacks []string) func(parse.Value) bool {
	return fits(func(l *hmc.List) bool {
		any := func(names []string) bool {
			return slices.ContainsFunc(names, func(n string) bool { _, ok := l.Records[0].Get(n); return ok })
		}
		return len(l.Records) > 0 && any(has) && !any(lacks)
	})
}

func severalLevels(o *linewise.AIXLevels) bool {
	now, ok := o.Current()
	return !ok || len(o.Levels) > 1 && now.ServicePack == nil
}

func oneLevel(form func(linewise.AIXLevel) bool) func(parse.Value) bool {
	return fits(func(o *linewise.AIXLevels) bool {
		now, _ := o.Current()
		return !severalLevels(o) && form(now)
	})
}

var interfaceName = parse.Lazy(`^(?:en|et|lo|sit|tr|ib|ml|vi|xs)\d+$`)

func noInterface(d lsdev.Device) bool { return !interfaceName.MatchString(d.Name) }

// otherClass is a device of which lsdev -Cc adapter lists none: a disk, a tape, a processor, memory.
var otherClass = parse.Lazy(`^(?:hdisk|hdiskpower|pdisk|cd|rmt|proc|mem|L2cache)\d+$`)

func perhapsAdapter(d lsdev.Device) bool { return noInterface(d) && !otherClass.MatchString(d.Name) }

// counted reports whether a listing has statistics of any adapter.
func counted(l *entstat.Listing) bool {
	return slices.ContainsFunc(l.Adapters(), func(s *entstat.Statistics) bool { return !s.Empty() })
}

// unlike adds to a test that no more than a quarter of the tunables are another
// command's, which prints them alike.
func unlike(fitting func(parse.Value) bool, others []*Entry) func(parse.Value) bool {
	return fits(func(t *no.Tunables) bool {
		for _, e := range others {
			n := 0
			for _, x := range t.Tunables {
				if e.Mark.MatchString(x.Name) {
					n++
				}
			}
			if n*4 > len(t.Tunables) {
				return false
			}
		}
		return fitting(t)
	})
}

// fewWords reports whether a text may be a list of values: letters, digits and
// signs of ASCII, a few words a line.
func fewWords(text []byte) bool {
	for l := range bytes.Lines(text) {
		if len(l) > 200 || len(bytes.Fields(l)) > 3 {
			return false
		}
		if bytes.ContainsFunc(l, func(c rune) bool { return c >= 0x7f || c < ' ' && c != '\t' && c != '\r' && c != '\n' }) {
			return false
		}
	}
	return true
}
