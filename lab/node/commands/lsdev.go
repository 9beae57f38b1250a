package commands

import (
	"context"
	"fmt"
	"slices"

	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/lab/odm"
	"seaworthy/lab/printing"
)

func lsdevCommand() command {
	return command{
		run:     runLsdev,
		runVIOS: runLsdevVIOS,
		aix: &form{
			flags: "CPc:s:t:S:l:F:Hf:hp:r:x",
			help:  true,
			usage: `lsdev -C [-c Class] [-s Subclass] [-t Type] [-S State] [-l Name] [-F Format] [-H]`,
			refused: map[string]string{
				"P": "the predefined devices are not there, only the customized ones (-C)",
			},
		},
		vios: &form{
			flags: "-virtual -slots -child -parent -vpd -dev: -state: -fmt: -range: -type* -attr* -field*",
			usage: `lsdev [-type DeviceType...] [-state DeviceState] [-virtual] [-field FieldName...] [-fmt Delimiter]
lsdev -dev Name [-attr [Attribute] | -range Attribute | -child | -parent | -vpd]
lsdev -slots`,
		},
	}
}

// runLsdev lists devices as AIX does.
func runLsdev(_ context.Context, c *call) error {
	form := lsdev.C()
	if format, ok := c.Get("F"); ok {
		form = lsdev.F(format)
	}
	form.Heading = c.Has("H")
	out := lsdevOf(c, form, func(d odm.Device) bool { return matches(c, d) })
	column, ok := c.Get("r")
	if !ok {
		return c.Print(printing.FormatLsdev(out))
	}
	var seen []string // each value of a column once
	for _, d := range out.Devices {
		columns := map[string]string{"class": d.Class, "subclass": d.Subclass, "type": d.Type, "name": d.Name, "status": d.Status}
		v, ok := columns[column]
		if !ok {
			return &odm.Error{Code: "0514-529", Text: fmt.Sprintf("devices have no column %q", column)}
		}
		if !slices.Contains(seen, v) {
			seen = append(seen, v)
			fmt.Fprintln(c.Stdout, v)
		}
	}
	return nil
}

// driverOf are the drivers of adapters by the type of the device.
var driverOf = map[string]string{
	"IBM,l-lan": "vioentdd", "sea": "seadd", "ibm_ech": "ethchandd", "eth": "vlandd",
}

// lsdevOf lists the devices that are wanted.
func lsdevOf(c *call, form lsdev.Form, wanted func(odm.Device) bool) *lsdev.List {
	out := &lsdev.List{Form: form}
	for _, d := range c.db.Devices() {
		if wanted(d) {
			out.Devices = append(out.Devices, lsdev.Device{Name: d.Name, Status: string(d.Status), Location: d.Location,
				Description: d.Description, Class: d.Class, Subclass: d.Subclass, Type: d.Type, PhysLoc: d.PhysLoc, Parent: d.Parent,
				Other: map[string]string{"ddins": driverOf[d.Type]}})
		}
	}
	return out
}
