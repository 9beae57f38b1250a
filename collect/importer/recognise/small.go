package recognise

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/hmc"
	"seaworthy/dialect/aix/ioslevel"
	"seaworthy/dialect/aix/oslevel"
	"seaworthy/dialect/aix/uname"
)

// smallKinds print a line or two. A shape is all they have, so every line of
// the text must have it.
var smallKinds = []kind{
	{name: "uname", id: "uname-a", family: AIX, mark: mark(`^(?:AIX |IBM,|[0-9A-F]{12}[ \t]*$)`), read: readUname, least: 0.9},
	{name: "oslevel", id: "oslevel-s", family: AIX, mark: mark(`^[ \t]*(?:\d{4}-\d{2}(?:-\d{2}-\d{4})?|[4-7]\.[1-4]\.0\.0)[ \t\r]*$`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		o, err := oslevel.Parse(text)
		return of(o, err, func(o *oslevel.Output) *dialect.Report { return &o.Report })
	}, least: 0.9},
	{name: "ioslevel", id: "ioslevel", family: VIOS, mark: mark(`^[ \t]*(?:VIOS Level is )?[1-9]\.\d+\.\d+\.\d+(?:-FP\S*)?[ \t\r]*$`), read: readIoslevel, least: 0.9},
}

func readUname(text []byte, f *Found) (*dialect.Report, error) {
	n, err := uname.Parse(text)
	if err == nil {
		f.Kind, f.ID = "uname -"+n.Flag, "uname-"+n.Flag
		if n.Node != "" {
			f.Host, f.HostFrom = n.Node, "node name of uname -a"
		}
	}
	return of(n, err, func(n *uname.Names) *dialect.Report { return &n.Report })
}

// readIoslevel also takes the sentence that a snap of a VIOS has.
func readIoslevel(text []byte, _ *Found) (*dialect.Report, error) {
	l, err := ioslevel.Parse([]byte(strings.Replace(string(text), "VIOS Level is ", "", 1)))
	return of(l, err, func(l *ioslevel.Level) *dialect.Report { return &l.Report })
}

var hmcKinds = []kind{
	{name: "lshwres", id: "hmc-lshwres", family: HMC, mark: mark(`(?:^|,)"?(?:lpar_id|lpar_name|port_vlan_id|is_trunk|vswitch|phys_loc)=|^(?:[a-z_]+,)*(?:lpar_name|lpar_id)(?:,[a-z_]+)*$`), read: readHMC},
	{name: "lshmc", id: "hmc-lshmc", family: HMC, mark: mark(`^"?(?:version=|base_version=|HMC Build level|hostname=)|^","base_version=`), read: readHMC},
}

var ethernetSlot = dialect.Lazy(`port_vlan_id|is_trunk`)

func readHMC(text []byte, f *Found) (*dialect.Report, error) {
	l, err := hmc.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(l.Records) == 0 {
		return nil, dialect.ErrNotRecognised
	}
	r := &l.Records[0]
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := r.Get(n); ok {
				return true
			}
		}
		return false
	}
	switch {
	case has("version", "base_version") && !has("lpar_id"):
		f.Kind, f.ID = "lshmc -V", "hmc-lshmc"
	case has("hostname", "ipaddr") && !has("lpar_id"):
		f.Kind, f.ID = "lshmc -n", "hmc-lshmc"
	case has("port_vlan_id", "is_trunk"):
		f.Kind, f.ID = "lshwres -r virtualio --rsubtype eth", "hmc-lshwres-eth"
	case has("vswitch_mode", "allowed_lpar_ids"):
		f.Kind, f.ID = "lshwres -r virtualio --rsubtype vswitch", "hmc-lshwres-vswitch"
	case has("curr_proc_mode", "curr_proc_units", "curr_procs"):
		f.Kind, f.ID = "lshwres -r proc --level lpar", "hmc-lshwres-proc"
	case has("curr_max_virtual_slots", "drc_name"):
		f.Kind, f.ID = "lshwres -r virtualio --rsubtype slot", "hmc-lshwres-slot"
	case has("lpar_env", "type_model") && has("lpar_name", "all_resources"):
		f.Kind, f.ID = "lssyscfg -r prof", "hmc-lssyscfg-prof"
	case has("lpar_env"):
		f.Kind, f.ID = "lssyscfg -r lpar", "hmc-lssyscfg-lpar"
	case has("type_model"):
		f.Kind, f.ID = "lssyscfg -r sys", "hmc-lssyscfg-sys"
	case ethernetSlot.Match(text):
		f.Kind, f.ID = "lshwres", "hmc-lshwres"
	case !has("lpar_id", "lpar_name"):
		return nil, dialect.ErrNotRecognised
	}
	return &l.Report, nil
}
