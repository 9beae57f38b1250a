package console

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"seaworthy/dialect/aix/hmc"
	"seaworthy/lab/topology"
)

// system is the one of a name, or of a type, model and serial number: 9119-MHE*21SEA01.
func (c *Console) system(name string) *topology.System {
	t := c.Plan()
	for i := range t.Systems {
		if s := &t.Systems[i]; s.Name == name || s.Model+"*"+s.Serial == name {
			return s
		}
	}
	return nil
}

// systems are all, or the one of the name.
func (c *Console) systems(name string) (list []hmc.Record) {
	t := c.Plan()
	for i := range t.Systems {
		s := &t.Systems[i]
		if name == "" || c.system(name) == s {
			list = append(list, record("name", s.Name, "type_model", s.Model, "serial_num", s.Serial, "state", "Operating",
				"sys_time", time.Now().Format("01/02/2006 15:04:05")))
		}
	}
	return list
}

// profileName is the only profile of every partition.
const profileName = "normal"

func environment(n *topology.Node) (env, runs string) {
	if n.Role == topology.VIOS {
		return "vioserver", "VIOS " + n.IOSLevel
	}
	version, _, _ := strings.Cut(n.Level, "-")
	if len(version) >= 2 {
		version = version[:1] + "." + version[1:2]
	}
	return "aixlinux", "AIX " + version + " " + n.Level
}

// ofPartitions are records of the partitions of a system, one each: names and values in turn.
func ofPartitions(s *topology.System, words func(n *topology.Node) []string) (list []hmc.Record) {
	for i := range s.Nodes {
		list = append(list, record(words(&s.Nodes[i])...))
	}
	return list
}

// ids are what most records say of their partition.
func ids(n *topology.Node) []string {
	return []string{"lpar_name", n.Name, "lpar_id", strconv.Itoa(n.Number)}
}

func (c *Console) partitions(s *topology.System) []hmc.Record {
	return ofPartitions(s, func(n *topology.Node) []string {
		env, runs := environment(n)
		state, rmc, address := "Running", "active", ""
		if len(n.Interfaces) > 0 {
			address = n.Interfaces[0].Address.Addr().String()
		}
		if c.Down(n.Name) != nil {
			state, rmc = "Error", "inactive"
		}
		return []string{"name", n.Name, "lpar_id", strconv.Itoa(n.Number), "lpar_env", env, "state", state,
			"resource_config", "1", "os_version", runs, "logical_serial_num", fmt.Sprintf("%s%X", s.Serial, n.Number),
			"default_profile", profileName, "curr_profile", profileName, "work_group_id", "none", "rmc_state", rmc, "rmc_ipaddr", address}
	})
}

// shares are a partition's processors: the mode, whether it may have more, its share and its weight.
func shares(n *topology.Node) (mode, sharing, units, weight string) {
	switch n.Mode {
	case "Capped":
		return "shared", "cap", fmt.Sprintf("%.2f", n.Entitled), "0"
	case "Donating":
		return "ded", "share_idle_procs_always", "", ""
	}
	return "shared", "uncap", fmt.Sprintf("%.2f", n.Entitled), strconv.Itoa(n.Weight)
}

// procs are its virtual processors; of a dedicated one its processors.
func procs(n *topology.Node) string {
	if n.Mode == "Donating" {
		return strconv.Itoa(int(math.Ceil(n.Entitled)))
	}
	return strconv.Itoa(n.VCPUs)
}

func (c *Console) profiles(s *topology.System) []hmc.Record {
	return ofPartitions(s, func(n *topology.Node) []string {
		env, _ := environment(n)
		mode, sharing, units, weight := shares(n)
		words := append([]string{"name", profileName}, ids(n)...)
		words = append(words, "lpar_env", env, "all_resources", "0", "desired_mem", strconv.Itoa(n.MemoryMB), "proc_mode", mode)
		if mode == "shared" {
			words = append(words, "desired_proc_units", units)
		}
		words = append(words, "desired_procs", procs(n), "sharing_mode", sharing)
		if mode == "shared" {
			words = append(words, "uncap_weight", weight)
		}
		var virtual []string
		for j := range n.Adapters {
			if a := &n.Adapters[j]; a.Kind == topology.Virtual {
				virtual = append(virtual, strings.Join([]string{strconv.Itoa(topology.Slot(j)), flag(tagged(a)), strconv.Itoa(a.PVID),
					vlans(a), strconv.Itoa(priority(a)), "1", s.VSwitch}, "/"))
			}
		}
		return append(words, "max_virtual_slots", strconv.Itoa(maxSlots),
			"virtual_eth_adapters", quoted(virtual), "boot_mode", "norm", "auto_start", "0")
	})
}

// quoted joins entries; one that holds commas itself has quotes of its own.
func quoted(entries []string) string {
	if len(entries) == 0 {
		return "none"
	}
	for i, e := range entries {
		if strings.Contains(e, ",") {
			entries[i] = `"` + e + `"`
		}
	}
	return strings.Join(entries, ",")
}

func (c *Console) processors(s *topology.System) []hmc.Record {
	return ofPartitions(s, func(n *topology.Node) []string {
		mode, sharing, units, weight := shares(n)
		words := ids(n)
		if mode != "shared" {
			for _, when := range []string{"curr_", "pend_"} {
				words = append(words, when+"proc_mode", mode, when+"procs", procs(n), when+"sharing_mode", sharing)
			}
			return append(words, "run_procs", procs(n))
		}
		for _, when := range []string{"curr_", "pend_"} {
			words = append(words, when+"shared_proc_pool_id", "0", when+"proc_mode", mode, when+"proc_units", units,
				when+"procs", procs(n), when+"sharing_mode", sharing, when+"uncap_weight", weight)
		}
		return append(words, "run_proc_units", units, "run_procs", procs(n), "run_uncap_weight", weight)
	})
}

func (c *Console) memory(s *topology.System) []hmc.Record {
	return ofPartitions(s, func(n *topology.Node) []string {
		mb := strconv.Itoa(n.MemoryMB)
		return append(ids(n), "curr_mem", mb, "pend_mem", mb, "run_mem", mb, "mem_mode", "ded")
	})
}
