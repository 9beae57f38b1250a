package recognise

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/hmc"
)

var hmcKinds = []kind{
	{name: "lshwres", id: "hmc-lshwres", family: HMC, mark: mark(`(?:^|,)"?(?:lpar_id|lpar_name|port_vlan_id|is_trunk|vswitch|vnetwork|phys_loc|type_model)=|^(?:[a-z_]+[,:;|])*(?:lpar_name|lpar_id|type_model|vswitch|vnetwork)(?:[,:;|][a-z_]+)*[ \t\r]*$|^(?:HSC[A-Z]{1,3}[0-9A-F]{4}\b|No results were found\.)`), read: readHMC},
	// With -F only the command line tells the columns.
	{name: "lshwres", id: "hmc-lshwres", family: HMC, mark: mark(`^.*[,:;|]`), read: readFields},
	{name: "lshmc", id: "hmc-lshmc", family: HMC, mark: mark(`^"?(?:version=|base_version=|HMC Build level|hostname=)|^","base_version=`), read: readHMC},
}

// readFields reads a list whose columns stand in the command line before it.
func readFields(text []byte, f *Found) (*dialect.Report, error) {
	if id := ParseCommand(f.Command).ID; !strings.HasPrefix(id, "hmc-") || !strings.Contains(f.Command, "-F") {
		return nil, dialect.ErrNotRecognised
	}
	return readHMC(text, f)
}

func readHMC(text []byte, f *Found) (*dialect.Report, error) {
	l, err := hmc.Read(f.Command, text)
	if err != nil {
		return nil, err
	}
	if len(l.Records) > 0 {
		if f.Kind, f.ID = listOf(&l.Records[0], f.Command); f.ID == "" {
			return nil, dialect.ErrNotRecognised
		}
	} else if len(l.Unknown) > 0 {
		return nil, dialect.ErrNotRecognised
	}
	return &l.Report, nil
}

// listOf tells the lists apart by what only one of them prints.
func listOf(r *hmc.Record, command string) (kind, id string) {
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
		return "lshmc -V", "hmc-lshmc"
	case has("hostname") && !has("lpar_id"):
		return "lshmc -n", "hmc-lshmc"
	case has("backing_devices", "backing_device_states"):
		return "lshwres -r virtualio --rsubtype vnic", "hmc-lshwres-vnic"
	case has("logical_port_id", "phys_port_id", "adapter_id"):
		return "lshwres -r sriov", "hmc-lshwres-sriov"
	case has("vnetwork"):
		return "lshwres -r virtualio --rsubtype vnetwork", "hmc-lshwres-vnetwork"
	case has("port_vlan_id", "is_trunk", "addl_vlan_ids"):
		return "lshwres -r virtualio --rsubtype eth", "hmc-lshwres-eth"
	case has("vswitch_mode", "switch_mode", "allowed_lpar_ids") || has("vswitch") && !has("lpar_name", "lpar_id", "slot_num"):
		return "lshwres -r virtualio --rsubtype vswitch", "hmc-lshwres-vswitch"
	case has("curr_proc_mode", "curr_proc_units", "curr_procs"):
		return "lshwres -r proc --level lpar", "hmc-lshwres-proc"
	case has("curr_max_virtual_slots", "drc_name"):
		return "lshwres -r virtualio --rsubtype slot", "hmc-lshwres-slot"
	case has("lpar_name") && has("all_resources", "min_mem", "virtual_eth_adapters"):
		return "lssyscfg -r prof", "hmc-lssyscfg-prof"
	case has("type_model", "serial_num") && !has("lpar_id"):
		return "lssyscfg -r sys", "hmc-lssyscfg-sys"
	case has("lpar_env", "rmc_state", "default_profile", "curr_profile"):
		return "lssyscfg -r lpar", "hmc-lssyscfg-lpar"
	case has("vswitch", "mac_addr"):
		return "lshwres -r virtualio --rsubtype eth", "hmc-lshwres-eth"
	case has("lpar_id", "lpar_name"):
		return "lshwres", "hmc-lshwres"
	}
	if c := ParseCommand(command); strings.HasPrefix(c.ID, "hmc-") {
		return c.Kind, c.ID
	}
	return "", ""
}
