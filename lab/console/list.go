package console

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/lab/printing"
	"seaworthy/lab/topology"
)

func (c *Console) list(name string, argv []string, out io.Writer) int {
	f := flags(name)
	resource := f.StringP("resource", "r", "", "")
	sub := f.String("rsubtype", "", "")
	level := f.String("level", "", "")
	system := f.StringP("system", "m", "", "")
	columns := f.StringP("columns", "F", "", "")
	filter := f.String("filter", "", "")
	header := f.Bool("header", false, "")
	if name == "lslparutil" {
		f.StringP("days", "d", "", "")
		f.StringP("lines", "n", "", "")
	}
	err := f.Parse(argv)
	if err == nil && f.NArg() > 0 {
		err = errors.New(f.Arg(0))
	}
	words := strings.Join(strings.Fields(name+" "+*resource+" "+*sub+" "+*level), " ")
	on := c.systems(*system)
	switch {
	case err != nil:
		return wrong(out, strings.TrimPrefix(err.Error(), "unknown flag: "))
	case *resource == "":
		return wrong(out, "-r")
	case lists.Lookup(words) == nil || !strings.Contains(words, " "):
		return refuse(out, "%s: the HMC of a lab does not list this", words)
	case words == "lssyscfg sys":
	case *system == "":
		return wrong(out, "-m")
	case len(on) == 0:
		return refuse(out, noSystem, *system)
	}
	var records []hmc.Record
	for _, s := range on {
		more, err := c.records(words, s)
		if err != nil {
			return refuse(out, "%s: %v", words, err)
		}
		records = append(records, more...)
	}
	return print(out, *columns, *header, *filter, records)
}

// flags are those of a command; what is wrong with them the command says.
func flags(name string) *pflag.FlagSet {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// systems are all, or that of a name, or of a type, model and serial number: 9119-MHE*21SEA01.
func (c *Console) systems(name string) (list []*topology.System) {
	t := c.Plan()
	for i := range t.Systems {
		if s := &t.Systems[i]; name == "" || s.Name == name || s.Model+"*"+s.Serial == name {
			list = append(list, s)
		}
	}
	return list
}

// print prints what the filter leaves, in the columns that are asked for.
func print(out io.Writer, names string, header bool, filter string, records []hmc.Record) int {
	var columns *printing.Columns
	if names != "" {
		c, ok := printing.ColumnsOf(names, header)
		if !ok {
			return wrong(out, "-F")
		}
		for _, name := range c.Names {
			has := func(r hmc.Record) bool { _, ok := r.Get(name); return ok }
			if len(records) > 0 && !slices.ContainsFunc(records, has) {
				return refuse(out, "An invalid attribute was entered.  The invalid attribute is %s.  "+
					"Please correct your entry and retry the command.", name)
			}
		}
		columns = &c
	}
	kept, odd := filtered(records, filter)
	if odd != "" {
		return refuse(out, "An invalid filter was entered.  The invalid filter is %s.  Please correct your entry and retry the command.", odd)
	}
	if len(kept) == 0 {
		fmt.Fprintln(out, "No results were found.")
		return done
	}
	_, _ = out.Write(printing.FormatHMC(kept, columns))
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
	parts, err := csv.NewReader(strings.NewReader(filter)).Read()
	if err != nil {
		return nil, filter
	}
	for _, p := range parts {
		name, values, ok := strings.Cut(p, "=")
		if !ok || filters[name] == nil {
			return nil, name
		}
		wanted := strings.Split(values, ",")
		records = slices.DeleteFunc(records, func(r hmc.Record) bool { return !passes(&r, filters[name], wanted) })
	}
	return records, ""
}

// passes says whether one of the attributes has one of the values. A record that is named
// by lpar_name has its own name for something else.
func passes(r *hmc.Record, attributes, wanted []string) bool {
	for _, name := range attributes {
		v, ok := r.Get(name)
		in := slices.ContainsFunc(strings.Split(v, ","), func(x string) bool { return slices.Contains(wanted, x) })
		if ok && (in || name == "lpar_name") {
			return in
		}
	}
	return false
}

const noSystem = "HSCL8018 The managed system %s was not found."

func refuse(out io.Writer, format string, args ...any) int {
	fmt.Fprintf(out, format+"\n", args...)
	return refused
}

// wrong returns what an HMC says to an operand that is missing or none it knows.
func wrong(out io.Writer, what string) int {
	return refuse(out, "The command entered is either missing a required parameter or a parameter value is invalid. "+
		"The missing or invalid parameter is %s. Please check your entry and retry the command.", what)
}
