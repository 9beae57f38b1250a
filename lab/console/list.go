package console

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"seaworthy/dialect/aix/hmc"
	"seaworthy/lab/topology"
)

// lists are what there is to list, by the words behind the command.
var lists = map[string]func(c *Console, s *topology.System) []hmc.Record{
	"lssyscfg lpar":               (*Console).partitions,
	"lssyscfg prof":               (*Console).profiles,
	"lshwres proc lpar":           (*Console).processors,
	"lshwres mem lpar":            (*Console).memory,
	"lshwres virtualio eth lpar":  (*Console).ethernet,
	"lshwres virtualio slot lpar": (*Console).virtualSlots,
	"lshwres virtualio vswitch":   (*Console).vswitches,
	"lshwres io slot":             (*Console).slots,
	// A lab has none of these, and keeps no utilization.
	"lshwres virtualio vnic":         none,
	"lshwres virtualio vnic lpar":    none,
	"lshwres sriov adapter":          none,
	"lshwres sriov physport ethc":    none,
	"lshwres sriov physport roce":    none,
	"lshwres sriov logport eth":      none,
	"lshwres virtualio scsi lpar":    none,
	"lshwres virtualio fc lpar":      none,
	"lslparutil lpar":                none,
	"lslparutil sys":                 none,
	"lslparutil pool":                none,
	"lshwres sriov logport eth lpar": none,
}

func none(*Console, *topology.System) []hmc.Record { return nil }

// list is one of the commands that list.
func (c *Console) list(name string, argv []string, out io.Writer) int {
	a, err := options(name, argv)
	if err != nil {
		return wrong(out, strings.TrimPrefix(err.Error(), "unknown flag: "))
	}
	var records []hmc.Record
	switch words := strings.Join(slices.DeleteFunc([]string{name, a.resource, a.sub, a.level}, func(w string) bool { return w == "" }), " "); {
	case a.resource == "":
		return wrong(out, "-r")
	case words == "lssyscfg sys":
		records = c.systems(a.system)
	case lists[words] == nil:
		fmt.Fprintf(out, "%s: the HMC of a lab does not list this\n", words)
		return refused
	case a.system == "":
		return wrong(out, "-m")
	default:
		s := c.system(a.system)
		if s == nil {
			fmt.Fprintf(out, "HSCL8018 The managed system %s was not found.\n", a.system)
			return refused
		}
		records = lists[words](c, s)
	}
	return print(out, a, records)
}

// print prints what the filter leaves, in the columns that are asked for.
func print(out io.Writer, a asked, records []hmc.Record) int {
	var columns *hmc.Columns
	if a.columns != "" {
		c, ok := hmc.ColumnsOf(a.columns, a.header)
		if !ok {
			return wrong(out, "-F")
		}
		for _, name := range c.Names {
			has := func(r hmc.Record) bool { _, ok := r.Get(name); return ok }
			if len(records) > 0 && !slices.ContainsFunc(records, has) {
				fmt.Fprintf(out, "An invalid attribute was entered.  The invalid attribute is %s.  "+
					"Please correct your entry and retry the command.\n", name)
				return refused
			}
		}
		columns = &c
	}
	kept, odd := filtered(records, a.filter)
	if odd != "" {
		fmt.Fprintf(out, "An invalid filter was entered.  The invalid filter is %s.  Please correct your entry and retry the command.\n", odd)
		return refused
	}
	if len(kept) == 0 {
		fmt.Fprintln(out, "No results were found.")
		return done
	}
	_, _ = out.Write(hmc.Format(kept, columns))
	return done
}

// filters are the names of --filter, and the attributes that they choose by.
var filters = map[string][]string{
	"lpar_names": {"lpar_name", "name"}, "lpar_ids": {"lpar_id"}, "profile_names": {"name"}, "slots": {"slot_num"},
	"vlans": {"port_vlan_id", "addl_vlan_ids"}, "vswitches": {"vswitch"},
}

// filtered keeps the records that all filters let pass: "lpar_names=lpar1",
// "\"lpar_ids=1,2\",slots=3". odd is one that there is not.
func filtered(records []hmc.Record, filter string) (kept []hmc.Record, odd string) {
	if filter == "" {
		return records, ""
	}
	r := csv.NewReader(strings.NewReader(filter))
	parts, err := r.Read()
	if err != nil {
		return nil, filter
	}
	kept = records
	for _, p := range parts {
		name, values, ok := strings.Cut(p, "=")
		if !ok || filters[name] == nil {
			return nil, name
		}
		wanted := strings.Split(values, ",")
		kept = slices.DeleteFunc(kept, func(r hmc.Record) bool { return !passes(&r, filters[name], wanted) })
	}
	return kept, ""
}

// passes says whether one of the attributes has one of the values. A record that is named
// by lpar_name has its own name for something else.
func passes(r *hmc.Record, attributes, wanted []string) bool {
	for _, name := range attributes {
		v, ok := r.Get(name)
		if !ok {
			continue
		}
		if slices.ContainsFunc(strings.Split(v, ","), func(x string) bool { return slices.Contains(wanted, x) }) {
			return true
		}
		if name == "lpar_name" {
			return false
		}
	}
	return false
}

// wrong is what an HMC says to an operand that is missing or none it knows.
func wrong(out io.Writer, what string) int {
	fmt.Fprintf(out, "The command entered is either missing a required parameter or a parameter value is invalid. "+
		"The missing or invalid parameter is %s. Please check your entry and retry the command.\n", what)
	return refused
}

// asked are the options of the commands that list.
type asked struct {
	resource, sub, level, system, columns, filter string
	header                                        bool
}

func options(name string, argv []string) (a asked, err error) {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVarP(&a.resource, "resource", "r", "", "")
	f.StringVar(&a.sub, "rsubtype", "", "")
	f.StringVar(&a.level, "level", "", "")
	f.StringVarP(&a.system, "system", "m", "", "")
	f.StringVarP(&a.columns, "columns", "F", "", "")
	f.StringVar(&a.filter, "filter", "", "")
	f.BoolVar(&a.header, "header", false, "")
	if name == "lslparutil" {
		f.StringP("days", "d", "", "")
		f.StringP("lines", "n", "", "")
	}
	if err := f.Parse(argv); err != nil {
		return a, err
	}
	if f.NArg() > 0 {
		return a, fmt.Errorf("%s", f.Arg(0))
	}
	return a, nil
}
