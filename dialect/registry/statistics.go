package registry

import (
	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/aix/seastat"
	"seaworthy/dialect/aix/vnicstat"
)

// statistics print the counters of adapters. The later ones print what the
// earlier ones print, and more.
func statistics() []*Entry {
	return []*Entry{
		{
			ID: "seastat", Command: "seastat -d", Family: VIOS, Parse: reads(seastat.Parse), Device: true,
			Call:    call("seastat"),
			Asks:    []Ask{{On: OnVIOS | OnPadmin, Of: OfAccounted, Line: "ioscli seastat -d {}", Limit: Normal}},
			Mark:    mark(`^Advanced Statistics for SEA`),
			Element: mark(`^Device Name:[ \t]+(ent\d+)`),
			Start:   mark(`^Advanced Statistics for SEA`), Again: true,
		},
		{
			ID: "vnicstat", Command: "vnicstat", Family: VIOS, Parse: reads(vnicstat.Parse), Device: true,
			Call:    call("vnicstat"),
			Asks:    []Ask{{On: OnVIOS, Of: OfServer, Line: "vnicstat -b {}", Root: true, Limit: Normal}},
			Mark:    mark(`^VNIC Server Statistics:`),
			Element: mark(`^VNIC Server Statistics:[ \t]+(\S+)`),
			Start:   mark(`^VNIC Server Statistics:`),
		},
		{
			ID: "netstat-v", Command: "netstat -v", Family: AIX, Parse: reads(entstat.Parse), Repeats: true,
			Call: call("netstat", ` -[A-Za-z]*v`),
			Mark: adapterMark, Fits: fits(func(l *entstat.Listing) bool { return counted(l) > 0 && len(l.Parts) > 1 }),
			OnVIOS: seaMark,
		},
		{
			ID: "entstat-all", Command: "entstat -all", Family: AIX, Parse: reads(entstat.Parse), Device: true, Counters: true, Settings: true,
			Call: call("entstat", ` -all`), Like: "entstat-d",
			Asks: []Ask{{On: OnPadmin, Of: OfStatistic, Line: "ioscli entstat -all {}", Limit: Slow}},
		},
		{
			ID: "entstat-d", Command: "entstat -d", Family: AIX, Parse: reads(entstat.Parse), Device: true, Counters: true, Settings: true,
			Call: call("entstat"),
			Asks: []Ask{{On: OnAIX | OnVIOS, Of: OfStatistic, Line: "entstat -d {}", Root: true, Limit: Slow}},
			Mark: adapterMark, Fits: fits(func(l *entstat.Listing) bool { return counted(l) > 0 && len(l.Parts) <= 1 }),
			Element: mark(`^[ \t]*(?:ETHERNET STATISTICS \(|Statistics for adapters in the Shared Ethernet Adapter[ \t]+)(ent?\d+)`),
			OnVIOS:  seaMark,
			Start:   mark(`^(?:ETHERNET STATISTICS \(|FIBRE CHANNEL STATISTICS REPORT)`), Within: []string{"vnicstat"},
		},
	}
}

var (
	adapterMark = mark(`^[ \t]*(?:ETHERNET STATISTICS|Device Type:|FIBRE CHANNEL STATISTICS)`)
	seaMark     = mark(`^[ \t]*(?:Statistics for adapters in the Shared Ethernet Adapter|Type of Packets)`)
)

// counted is how many adapters have statistics in a listing.
func counted(l *entstat.Listing) int {
	n := 0
	for _, s := range l.Adapters() {
		if !s.Empty() {
			n++
		}
	}
	return n
}
