package expr

import "seaworthy/inventory"

// Fact is a number that rules ask for and that no configuration holds.
type Fact struct {
	Name    string `json:"name"`
	Of      string `json:"of"` // host, interface, adapter: what it is given for
	Unit    string `json:"unit,omitempty"`
	Meaning string `json:"meaning"`
	From    string `json:"from,omitempty"` // the command whose output gives it; empty: only --fact does
}

// Facts lists what the built-in rules ask for, in the order of names. Each can be given
// (Options.Measured); some are also found in what a host printed.
func Facts() []Fact {
	return []Fact{
		{"bulk_receiver", "adapter", "1 or 0", "it mainly receives bulk data, as a backup server does", ""},
		{"busiest_cpu_percent", "host", "percent", "load of the busiest logical CPU during a transfer (mpstat 60 1)", ""},
		{inventory.CoresLimit, "host", "cores", "the most it may use", figuredBy[inventory.CoresLimit]},
		{inventory.CoresUsed, "host", "cores", "physical processors in use during a transfer", "lparstat 60 1"},
		{inventory.CPUBusy, "host", "percent", "user and system time during a transfer", "lparstat 60 1"},
		{"iv35154_missing", "host", "1 or 0", "the fix IV35154 is missing", "instfix -ik IV35154"},
		{"known_defects", "host", "count", "defects of its drivers that were found by hand", ""},
		{"latency_critical", "host", "1 or 0", "its networks are latency-critical", ""},
		{"line_mbit", "interface", "Mbit/s", "line rate of the path to its peer", ""},
		{"many_streams_mbit", "interface", "Mbit/s", "measured throughput of several TCP streams", ""},
		{"needs_mobility", "host", "1 or 0", "it must be able to move to another system (LPM)", ""},
		{"one_stream_mbit", "interface", "Mbit/s", "measured throughput of one TCP stream", ""},
		{"path_mtu", "interface", "bytes", "largest packet that reaches its peer unfragmented (seaworthy probe mtu)", ""},
		{"private_vlan", "interface", "1 or 0", "no SEA carries its VLAN: it never leaves the system",
			"on the HMC: lshwres -r virtualio --rsubtype eth --level lpar"},
		{"rtt_ms", "interface", "ms", "round-trip time to its peer (ping)", ""},
		{inventory.RulesDiffer, "host", "count", "settings of a VIOS that differ from its rules", figuredBy[inventory.RulesDiffer]},
		{inventory.VirtualSCSI, "host", "count", "virtual SCSI server adapters of a VIOS", figuredBy[inventory.VirtualSCSI]},
	}
}
