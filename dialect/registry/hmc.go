package registry

import (
	"slices"
	"strings"

	"seaworthy/dialect"
	hmccli "seaworthy/dialect/aix/hmc"
)

// list is a list of an HMC, known by columns that it has, any of some, and
// others that it has not.
type list struct {
	id, command string
	has, lacks  []string
}

// lists are distinguished by what only one of them prints; the first that fits counts.
var lists = []list{
	{"hmc-lshmc", "lshmc -V", []string{"version", "base_version"}, []string{"lpar_id"}},
	{"hmc-lshmc", "lshmc -n", []string{"hostname"}, []string{"lpar_id"}},
	{"hmc-lshwres-io", "lshwres -r io --rsubtype slot", []string{"unit_phys_loc"}, nil},
	{"hmc-lshwres-vnic", "lshwres -r virtualio --rsubtype vnic", []string{"backing_devices", "backing_device_states"}, nil},
	{"hmc-lshwres-sriov", "lshwres -r sriov", []string{"logical_port_id", "phys_port_id", "adapter_id"}, nil},
	{"hmc-lshwres-vnetwork", "lshwres -r virtualio --rsubtype vnetwork", []string{"vnetwork"}, nil},
	{"hmc-lshwres-eth", "lshwres -r virtualio --rsubtype eth", []string{"port_vlan_id", "is_trunk", "addl_vlan_ids"}, nil},
	{"hmc-lshwres-vswitch", "lshwres -r virtualio --rsubtype vswitch", []string{"vswitch_mode", "switch_mode", "allowed_lpar_ids"}, nil},
	{"hmc-lshwres-vswitch", "lshwres -r virtualio --rsubtype vswitch", []string{"vswitch"}, []string{"lpar_name", "lpar_id", "slot_num"}},
	{"hmc-lshwres-proc", "lshwres -r proc --level lpar", []string{"curr_proc_mode", "curr_proc_units", "curr_procs"}, nil},
	{"hmc-lshwres-slot", "lshwres -r virtualio --rsubtype slot", []string{"curr_max_virtual_slots", "drc_name"}, nil},
	{"hmc-lssyscfg-prof", "lssyscfg -r prof", []string{"all_resources", "min_mem", "virtual_eth_adapters", "sriov_eth_logical_ports"}, nil},
	{"hmc-lssysconn", "lssysconn -r all", []string{"resource_type"}, []string{"lpar_id"}},
	{"hmc-lssyscfg-sys", "lssyscfg -r sys", []string{"type_model", "serial_num"}, []string{"lpar_id"}},
	{"hmc-lssyscfg-lpar", "lssyscfg -r lpar", []string{"lpar_env", "rmc_state", "default_profile", "curr_profile"}, nil},
	{"hmc-lshwres-eth", "lshwres -r virtualio --rsubtype eth", []string{"vswitch", "mac_addr"}, nil},
	{"hmc-lshwres", "lshwres", []string{"lpar_id", "lpar_name"}, nil},
}

// hmc are the lists that an HMC prints.
func hmc() []*Entry {
	parse := func(text []byte, command string) (dialect.Value, error) {
		l, err := hmccli.Read(command, text)
		if err != nil {
			return nil, err
		}
		return l, nil
	}
	var out []*Entry
	entry := func(id, command string, fits func(dialect.Value) bool) *Entry {
		e := &Entry{
			ID: id, Command: command, Family: HMC, Parse: parse, Repeats: true, Mark: listMark, Fits: fits,
			// With -F only the command line names the columns.
			Unmarked: func(command string, _ []byte) bool { return strings.Contains(command, "-F") },
		}
		out = append(out, e)
		return e
	}
	for _, x := range lists {
		entry(x.id, x.command, fits(func(l *hmccli.List) bool {
			return len(l.Records) > 0 && anyColumn(&l.Records[0], x.has) && !anyColumn(&l.Records[0], x.lacks)
		}))
	}
	// Columns that decide nothing, or none at all: only the command line says what was asked.
	bare := fits(func(l *hmccli.List) bool { return len(l.Records) > 0 || len(l.Unknown) == 0 })
	for _, program := range []string{"lshwres", "lssyscfg", "lshmc"} {
		e := entry("hmc-"+program, program, bare)
		e.Mark, e.Call = nil, call(program)
	}
	nothing := entry("hmc-lshwres", "lshwres", fits(func(l *hmccli.List) bool { return len(l.Records)+len(l.Unknown) == 0 }))
	nothing.Mark = mark(`^(?:HSC[A-Z]{1,3}[0-9A-F]{4}\b|No results were found\.)`)
	return out
}

func anyColumn(r *hmccli.Record, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, ok := r.Get(n); return ok })
}

// listMark is a name of a column, before its value or in a heading.
var listMark = mark(`(?:^|,)"?(?:lpar_id|lpar_name|port_vlan_id|is_trunk|vswitch|vnetwork|phys_loc|type_model|adapter_id|resource_type)=|` +
	`^(?:[a-z_]+[,:;|])*(?:lpar_name|lpar_id|type_model|vswitch|vnetwork|adapter_id|sriov_eth_logical_ports)(?:[,:;|][a-z_]+)*[ \t\r]*$|` +
	`^"?(?:version=|base_version=|HMC Build level|hostname=)|^","base_version=`)
