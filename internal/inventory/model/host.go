package model

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Platform of a host.
type Platform string

const (
	AIX     Platform = "aix"
	VIOS    Platform = "vios"
	Linux   Platform = "linux"
	IBMi    Platform = "ibmi" // never read, known from an HMC
	Unknown Platform = "unknown"
)

// Host is one LPAR, VIOS or Linux system at one time.
type Host struct {
	Name     string   `json:"name"`
	Platform Platform `json:"platform"`
	User     string   `json:"user,omitempty"`          // who logged in: decides the form of VIOS commands
	Level    string   `json:"level,omitempty"`         // oslevel -s, or the kernel release on Linux
	Tools    string   `json:"powerpc_utils,omitempty"` // Linux: level of powerpc-utils, which sets up hybrid networks (HNV)
	Build    string   `json:"build,omitempty"`         // Linux: package of the running kernel, where uname -v names it: Debian 6.1.52-1
	OS       string   `json:"os,omitempty"`            // Linux: the distribution's own name for itself
	IOSLevel string   `json:"ioslevel,omitempty"`      // VIOS only
	// MachineID is the managed system, type-model*serial (9009-22A*7812345). It joins an LPAR to its VIOS.
	MachineID string              `json:"machine_id,omitempty"`
	Partition Partition           `json:"partition"`
	Elements  map[string]*Element `json:"elements"`           // by name: en0, ent0, eth0
	Tunables  map[string]*Attr    `json:"tunables,omitempty"` // AIX no(1), Linux sysctl
	Protocols Counters            `json:"protocols,omitzero"` // netstat -s by "tcp.<key>"; Linux: /proc/net as "Tcp.RetransSegs"
	// ProtocolsBy is the command that printed Protocols on Linux where the files of /proc/net are not at hand; empty: they are.
	ProtocolsBy string `json:"protocols_by,omitempty"`

	Routes    []Route      `json:"routes,omitempty"`     // nil: not read
	ODMRoutes []Route      `json:"odm_routes,omitzero"`  // AIX: those that inet0 sets again, without their interface; nil: not read
	ARP       []Neighbour  `json:"static_arp,omitempty"` // AIX: permanent entries
	Learnt    []Neighbour  `json:"learnt_arp,omitempty"` // AIX: those that come and go
	Unmet     []netip.Addr `json:"unmet_arp,omitempty"`  // AIX: addresses for which nobody answered (incomplete); nil: not read
	Hostname  *Attr        `json:"hostname,omitempty"`   // AIX: what runs, and what inet0 sets
	Clusters  []string     `json:"clusters,omitempty"`   // AIX: cluster managers that run, by the names of their subsystems
	Services  []string     `json:"services,omitzero"`    // AIX: subsystems that run, as lssrc names them; nil: not read
	// Resolver is how the host finds addresses by names; nil: not read.
	Resolver *Resolver `json:"resolver,omitempty"`
	// NFSMounts are what nfsstat -m lists; nil: not read.
	NFSMounts []NFSMount        `json:"nfs_mounts,omitzero"`
	Servers   []VNICServer      `json:"vnic_servers,omitempty"` // VIOS: what it carries for clients' vNICs
	Figures   map[string]Figure `json:"figures,omitempty"`      // numbers about the whole host, by the names below
	Pings     []Ping            `json:"pings,omitempty"`        // outputs of ping that were saved
	Fixes     map[string]bool   `json:"fixes,omitempty"`        // APARs asked for: whether all filesets have it
	Filesets  map[string]string `json:"filesets,omitempty"`     // AIX, VIOS: level V.R.M.F of each installed fileset
	// InterimFixes are those that emgr lists; nil: not read.
	InterimFixes []InterimFix `json:"interim_fixes,omitempty"`
	// SystemFirmware is the level in use, VL950_111.
	SystemFirmware string `json:"system_firmware,omitempty"`
	// ErrorLog are the entries of errpt, those alike together; nil: not read.
	ErrorLog []LoggedError `json:"error_log,omitzero"`
	// Persistence is of a Linux host's sysctls; nil: not read.
	Persistence *Persistence `json:"persistence,omitempty"`
	Taken       time.Time    `json:"taken"`
	Gaps        []Gap        `json:"gaps,omitempty"`
}

// InterimFix is a fix between service packs, as emgr -l prints it.
type InterimFix struct {
	Label string `json:"label"` // IJ45245s5a: the APAR, and for which service packs it was built
	State string `json:"state"` // S: stable; Q: waits for a reboot; others are not in force for certain
}

// Resolver is a host's name service.
type Resolver struct {
	Servers  []string `json:"servers,omitzero"`    // of resolv.conf, in order; nil: not read
	Timeout  *int     `json:"timeout_s,omitempty"` // for an answer of a server; nil: the default
	Attempts *int     `json:"attempts,omitempty"`  // of asking all servers; nil: the default
	Order    []string `json:"order,omitzero"`      // where names are looked for: local4, bind4; files, dns; nil: not read
}

// NFSMount is a file system of another host.
type NFSMount struct {
	From    string            `json:"from"`              // /mnt from server:/export
	Options map[string]string `json:"options,omitempty"` // proto, rsize, wsize, timeo
}

// LoggedError is an entry of AIX's error log.
type LoggedError struct {
	Label       string `json:"label,omitempty"` // ECH_CHAN_FAIL; empty in the short form
	ID          string `json:"id,omitempty"`    // 8650BE3F
	Resource    string `json:"resource,omitempty"`
	Description string `json:"description,omitempty"`
	Count       int    `json:"count"`
}

// Active says that the fix is in force.
func (f InterimFix) Active() bool { return f.State == "S" }

// Figures that a host's outputs give.
const (
	VirtualSCSI = "vhosts"           // VIOS: virtual SCSI server adapters
	RulesDiffer = "rules_differ"     // VIOS: settings that differ from its rules
	CoresUsed   = "cores_used"       // physical processors in use, mean of an interval
	CoresLimit  = "cores_limit"      // the most it may use
	RoundTrip   = "rtt_ms"           // to the farthest host read with it, by interface: "en0 rtt_ms"; "sysctl rtt_ms" of all
	CPUBusy     = "cpu_busy_percent" // user and system time, mean of an interval
	CoresMean   = "cores_since_boot" // physical processors used, mean since the host was booted
	Uptime      = "uptime_s"         // since the host was booted
	ClockMHz    = "clock_mhz"        // of its processors
	OnlineCPUs  = "online_cpus"      // logical CPUs
	Conntrack   = "conntrack_flows"  // Linux: connections that the firewall tracks now
	DuplicateIP = "duplicate_ip"     // AIX: entries of errpt about a host that has an address of this one
	UnreadBytes = "unread_bytes"     // that a program leaves in a connection with another host, the most
	WindowHeld  = "window_held_percent"
	BusyProgram = "busy_program_percent" // of a processor, by the busiest program
	// SoftInterrupts is the share of its time that a CPU spends on receiving packets, of the one that spends most.
	SoftInterrupts = "soft_interrupts_percent"
	ThreadsReady   = "threads_ready"
	ThreadsBlocked = "threads_blocked" // that wait for disks
	PagedIn        = "paged_in_per_s"  // pages of 4 KiB on AIX, KiB on Linux
	PagedOut       = "paged_out_per_s"
	ClosedWindows  = "closed_windows" // segments of a capture that say that an end takes no more data
	PingLoss       = "ping_loss_percent"
	UnroutedPing   = "unrouted_ping" // 1: a ping was refused because no route led to its address
	PingTwice      = "ping_duplicates"
	CloseWait      = "close_wait_connections"
	SynSent        = "syn_sent_connections"
	TimeWait       = "time_wait_connections"
	NarrowSlots    = "narrow_slots" // adapters for networks with fewer PCIe lanes, or slower ones, than they can use
	BusyDiskMS     = "busy_disk_ms" // mean time of a request to a disk that is busy, of the slowest
	DiskWait       = "disk_wait_percent"
	VanishedPing   = "vanished_ping_bytes" // size of whole packets that get no answer, though smaller ones do
	LookupSeconds  = "name_lookup_s"       // how long the slowest look-up of a name took
	SilentServers  = "silent_name_servers" // look-ups that ended because a name server did not answer
	// FirstServerSilent is 1 where the name server that is asked first did not answer, 0 where it did.
	FirstServerSilent = "first_name_server_silent"
	// HungCommands counts commands about an adapter that did not end, by adapter: "ent5 hung_commands".
	HungCommands = "hung_commands"
	// LearntMTU is the smallest path MTU in bytes that AIX has learnt for a destination, by interface: "en0 learnt_path_mtu".
	LearntMTU = "learnt_path_mtu"
	// ModuleAlarm is how far what a transceiver measures is beyond its limits, by port: "eth0 module_alarm". 0: within them,
	// 1: beyond that of a warning, 2: beyond that of an alarm.
	ModuleAlarm = "module_alarm"
	// RaisedCosts counts routes of AIX whose cost Dead Gateway Detection has raised.
	RaisedCosts = "raised_route_costs"
	LeastMSS    = "least_mss" // bytes of data in a segment, of the connection with another host that has the fewest

	LowMbufs    = "low_mbufs"       // AIX: entries of errpt about a lack of mbufs (PEND_LOW_MBUFS)
	MbufsFailed = "mbufs_failed"    // AIX: requests for mbufs that were refused
	RouteRTT    = "route_rtt_ms"    // AIX: longest round-trip time that TCP has learnt on a route
	IdleLatency = "idle_latency_us" // Linux: of the deepest idle state that CPUs may enter

	TunnelChecksums = "tunnel_bad_checksums" // packets of a capture: tunnels' with a wrong checksum in the outer UDP header
	TraceLoss       = "trace_loss_percent"   // from a hop on, of all packets to a far end, as mtr reports
	DropRate        = "received_drops_per_s" // by interface, while somebody watched: "eth0 received_drops_per_s"
	OneStream       = "one_stream_mbit"      // by interface: measured throughput of one TCP stream
	ManyStreams     = "many_streams_mbit"    // by interface: of several
)

// RoundTripTo names the figure of the shortest round trip in ms from an interface to
// another host that was read with it.
func RoundTripTo(iface, host string) string { return iface + " " + RoundTrip + " " + host }

// Figure is a number about a whole host, and the line that says it.
type Figure struct {
	Value float64 `json:"value"`
	From  Origin  `json:"from"`
}

// Route says where a host sends the packets of a network.
type Route struct {
	To        netip.Prefix `json:"to"`               // 0.0.0.0/0 and ::/0 are the default routes
	Gateway   netip.Addr   `json:"gateway,omitzero"` // not valid: the network is on the link
	Interface string       `json:"interface"`        // en0, eth0; empty: see Refusing
	Metric    *uint64      `json:"metric,omitempty"` // Linux: the lowest wins
	Origin    string       `json:"origin,omitempty"` // Linux: kernel, static, dhcp; AIX: learnt, from a redirect or of one path's MTU
}

// Refusing are the origins of routes that send nothing, by no interface.
var Refusing = []string{"blackhole", "unreachable", "prohibit"}

// Neighbour is an entry of the ARP table.
type Neighbour struct {
	Address   netip.Addr `json:"address"`
	MAC       string     `json:"mac"`                 // aa:bb:cc:dd:ee:ff
	Published bool       `json:"published,omitempty"` // answered for others
}

// Learnt is the origin of a route that no administrator set.
const Learnt = "learnt"

// Partition holds what lparstat -i says, or lparcfg on Linux. Nil means not said.
type Partition struct {
	Name        string   `json:"name,omitempty"`
	Number      *int     `json:"number,omitempty"`
	Type        string   `json:"type,omitempty"`     // Shared-SMT-4, Dedicated-SMT, ...
	Mode        string   `json:"mode,omitempty"`     // Capped, Uncapped, Donating
	Entitled    *float64 `json:"entitled,omitempty"` // cores
	VirtualCPUs *int     `json:"virtual_cpus,omitempty"`
	Weight      *int     `json:"weight,omitempty"`
}

// MostCores is the most that the partition may use: a capped shared one its entitlement,
// others their virtual processors. Nil: not known.
func (p Partition) MostCores() *float64 {
	capped := strings.EqualFold(p.Mode, "Capped")
	switch {
	case capped && strings.HasPrefix(p.Type, "Shared"):
		return p.Entitled
	case (p.Mode != "" && !capped || strings.HasPrefix(p.Type, "Dedicated")) && p.VirtualCPUs != nil:
		return new(float64(*p.VirtualCPUs))
	}
	return nil
}

// Brief is a command line fit for a message: one that lists many files or
// settings is named by its first words.
func Brief(line string) string {
	words := strings.Fields(line)
	if len(line) <= 120 || len(words) <= 4 {
		return line
	}
	return strings.Join(words[:4], " ") + " …"
}

// Gap is something that a host did not say, and why.
type Gap struct {
	What string `json:"what"` // command line, or element and attribute
	Why  string `json:"why"`
}

// PlatformGap is the gap of a host of which nothing that was read tells the platform for sure.
const PlatformGap = "platform"

// NotInstalled begins why a program is a gap of a Linux host that lacks it.
const NotInstalled = "not installed"

// Lacks are the gaps of programs that the host lacks.
func (h *Host) Lacks() (out []Gap) {
	for _, g := range h.Gaps {
		if strings.HasPrefix(g.Why, NotInstalled) {
			out = append(out, g)
		}
	}
	return out
}

// VNICServer is the VIOS's end of a client's vNIC.
type VNICServer struct {
	Name           string `json:"name"`              // vnicserver0
	Backing        string `json:"backing,omitempty"` // entN that carries it
	Client         string `json:"client,omitempty"`  // partition name
	ClientID       *int   `json:"client_id,omitempty"`
	ClientDevice   string `json:"client_device,omitempty"`   // entN there
	ClientLocation string `json:"client_location,omitempty"` // U9080.M9S.7812345-V3-C5
	State          string `json:"state,omitempty"`           // of failover: active, inactive
	Ready          *bool  `json:"ready,omitempty"`           // for a failover
	Priority       *int   `json:"priority,omitempty"`        // of failover: the lowest wins
}

func (h *Host) gap(g Gap) {
	if !slices.Contains(h.Gaps, g) {
		h.Gaps = append(h.Gaps, g)
	}
}

// Names gives a host's elements of one kind, in the order people count: ent2
// before ent10.
func (h *Host) Names(kind Kind) []string {
	var names []string
	for n, e := range h.Elements {
		if e != nil && e.Kind == kind {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, Natural)
	return names
}

// Route finds the route a host takes to an address: the longest prefix, of
// several the one of the lowest metric; nil if no route is known.
func (h *Host) Route(to netip.Addr) *Route {
	var best *Route
	for i := range h.Routes {
		r := &h.Routes[i]
		if r.To.Contains(to) && (best == nil || r.To.Bits() > best.To.Bits() || r.To.Bits() == best.To.Bits() && r.metric() < best.metric()) {
			best = r
		}
	}
	return best
}

func (r *Route) metric() uint64 {
	if r.Metric == nil {
		return 0
	}
	return *r.Metric
}

// Another gives the difference by which two snapshots under one name are of different
// hosts; empty if they may be of one. A partition that moved to another managed
// system keeps its adapters' addresses; one that was created again in its place
// keeps system and number.
func (h *Host) Another(other *Host) string {
	mine, theirs := h.addresses(), other.addresses()
	if len(mine) == 0 || len(theirs) == 0 {
		return ""
	}
	for mac := range mine {
		if theirs[mac] {
			return ""
		}
	}
	p, q := h.Partition.Number, other.Partition.Number
	switch {
	case h.MachineID != "" && other.MachineID != "" && h.MachineID != other.MachineID:
		return fmt.Sprintf("managed systems %s and %s, and no adapter in common", h.MachineID, other.MachineID)
	case p != nil && q != nil && *p != *q:
		return fmt.Sprintf("partitions %d and %d, and no adapter in common", *p, *q)
	}
	return ""
}

// addresses are the MAC addresses of a host's adapters.
func (h *Host) addresses() map[string]bool {
	out := map[string]bool{}
	for _, e := range h.Elements {
		if e != nil && strings.Trim(e.MAC, "0:") != "" {
			out[e.MAC] = true
		}
	}
	return out
}
