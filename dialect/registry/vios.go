package registry

import (
	"seaworthy/dialect/aix/ioslevel"
	"seaworthy/dialect/aix/lsdev"
	"seaworthy/dialect/aix/lsmap"
	"seaworthy/dialect/aix/slots"
	"seaworthy/dialect/aix/viosrules"
)

const everyVIOS = OnVIOS | OnPadmin

// vios are the commands that only a VIOS has.
func vios() []*Entry {
	return []*Entry{
		{
			ID: "ioslevel", Command: "ioslevel", Family: VIOS, Parse: reads(ioslevel.Parse), Least: 0.9,
			Call: call("ioslevel"), Asks: []Ask{{On: everyVIOS, Line: "ioscli ioslevel", Limit: Normal}},
			Mark:  mark(`^[ \t]*(?:VIOS Level is )?[1-9]\.\d+\.\d+\.\d+(?:-FP\S*)?[ \t\r]*$`),
			Start: mark(`^[1-4]\.\d+\.\d+\.\d+\s*$`),
		},
		{
			ID: "lsmap-all-net", Command: "lsmap -all -net", Family: VIOS, Parse: reads(lsmap.Parse), Table: true,
			Call: call("lsmap", ` -net`), Asks: []Ask{{On: everyVIOS, Line: "ioscli lsmap -all -net", Limit: Slow}},
			Mark: mapMark, Fits: fits(func(m *lsmap.Map) bool { return len(m.Adapters) > 0 }),
			Start: mark(`^SVEA +Physloc`),
		},
		{
			ID: "lsmap", Command: "lsmap", Family: VIOS, Parse: reads(lsmap.Parse), Table: true, Repeats: true,
			Call: call("lsmap"),
			Asks: []Ask{{On: everyVIOS, Of: IfServers, Attribute: "vnic", Line: "ioscli lsmap -all -vnic", Limit: Slow}},
			Mark: mapMark, Start: mark(`^SVSA +Physloc`),
		},
		{
			ID: "rules-diff", Command: "rules -o diff", Family: VIOS, Parse: reads(viosrules.Parse), Table: true, Blank: true,
			Call: call("rules", ` diff `),
			Asks: []Ask{{On: everyVIOS, Line: "ioscli rules -o diff -s -d", Limit: Slow}}, // from 2.2.4
			Mark: mark(`^devParam\.\S+[ \t].*\S[ \t]+\|[ \t]+\S+[ \t\r]*$`),
		},
		{
			ID: "lsdev-slots", Command: "lsdev -slots", Family: VIOS, Parse: reads(slots.Parse), Table: true,
			Call: call("lsdev", ` -slots`),
			Mark: mark(`^(?:# Slot +Description|U[0-9A-Z]{4}\..* {2,}\S| {10,}\S+ *$)`), Head: mark(`^# Slot +Description +Device`),
		},
		{
			ID: "lsdev", Command: "lsdev", Family: VIOS, Parse: reads(lsdev.Parse), Table: true, Settings: true, Least: 0.6,
			Call: call("lsdev"), Asks: []Ask{{On: OnPadmin, Line: "ioscli lsdev", Limit: Slow}},
			Mark: deviceMark, Fits: fits(func(l *lsdev.List) bool { return l.Form.Kind == lsdev.VIOS && len(l.Devices) > 0 }),
		},
	}
}

var mapMark = mark(`^[ \t]*(?:SVEA +Physloc|SVSA +Physloc|Name +Physloc +ClntID)|^(?:ent|vhost|vfchost)\d+[:,|]`)
