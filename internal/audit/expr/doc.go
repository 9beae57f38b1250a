// Package expr evaluates the expressions of rules: CEL (cel.dev) over the judged
// element, el. What the inventory does not hold is unknown; it stays unknown
// through && || ! exists and all, unless the outcome does not depend on it, and
// names the fact that is missing. An expression cannot change anything.
//
// Properties of an element, from running values or, where those will change,
// once more from the next-boot ones; has(el.speed) says whether one is known:
//
//	kind name host platform machine driver     texts; machine is the managed system
//	carried_vnics                              of a port of a VIOS: how many vNICs of clients its physical port carries
//	backing_devices backing_vioses backing_adapters backing_ready  of a vNIC: how many devices can carry it, on how many VIOSes
//	                                           and SR-IOV adapters they are, how many are operational
//	backing_preferred auto_failover            no operational one goes before the active one; it goes back by itself
//	capacity max_capacity                      guaranteed and largest share of the physical port, in per cent: of an SR-IOV logical
//	                                           port, and of a vNIC by its active backing device
//	port_sharers port_asked                    logical ports on its physical port, and the sum of their largest shares in per cent
//	module firmware product                    of an adapter: AIX's driver (mlxentdd), level of its microcode, feature code and card id
//	guest_port                                 a port of a machine of another hypervisor: virtio_net, vmxnet3, …
//	used up link speed flow_control mac        state; speed in Mbit/s
//	channel                                    of an EtherChannel: primary or backup carries its frames
//	default_way host_way                       a default route, or one to a single host, that was read leads over it
//	addressed                                  other hosts can reach it by an IP address
//	has_address                                it has an IP address, also while other hosts cannot reach it
//	is_trunk active priority pvid vlans tag vswitch shared_vlans ha_state bridge_mode
//	isno ifconfig_read                         of an interface: its own options count; its flags were read
//	has_next_boot                              some attribute is known as it runs and as it will be
//	counters_grow                              an earlier snapshot is there
//	pools                                      receive pools of a virtual adapter
//	entitled virtual_cpus                      of its partition
//	drift unusual                              attributes that differ from the next boot's, from the default
//	subnet_mtus                                how many interfaces of its subnets have an MTU, by MTU
//
// A pool is its adapter with pool_name (name is the same) min max highest lowest, setting (its
// maximum as configured) and allowed (the most that the host takes).
//
// Related elements, and what follows from several:
//
//	adapter ports real trunks members virtual_adapters     below it
//	above owners interfaces                                on top of it
//	tap guest                                              of a virtual machine's interface, on its KVM host; and its name
//	underlay                                               of a tunnel: the device by which its packets leave
//	inner                                                  of a Linux host's bridge: what leads from it into the host
//	carriers bridged_by                                    trunk adapters that carry it
//	clients unread_clients unmatched_clients partners      of an SEA
//	peers tunables duplicates                              ends of paths, options of its host, same MAC address
//	same_address other_masks                               of other hosts: the same IP address, another netmask in its network
//	beside                                                 others of its host with an address in its network
//	detours rivals                                         peers that its host reaches by another interface; hosts whose
//	                                                       ARP tables have another MAC address for it
//	narrower_than                                          peers in whose network it is, and which its netmask leaves out
//	unmet                                                  peers for which nobody answers its host's ARP requests
//	unrouted partner_only                                  peers that no route of its host leads to; trunk adapters of an SEA's
//	                                                       partners with a VLAN that it has not
//	default_routes lost_defaults                           gateways of its host's IPv4 default routes; those of the ODM where
//	                                                       none is in force
//	without_vlan                                           SEAs of its system and switch, none of which carries a client's port VLAN
//	name_servers name_wait lookup_order        of a host: its name servers in order, seconds until the next is asked, where names are
//	                                           looked for (local4, bind4; files, dns)
//	lookup_read servers_read mounts_read errors_read neighbours_read  of a host: whether these were read
//	unmet_gateways                                         gateways of default routes that nobody answers for
//	uses_ipv6 default_interfaces               of a host: it has an IPv6 address; interfaces of its default routes
//	listed machine_platforms                               all adapters of its managed system, from an HMC
//
// What follows from these stands in the catalogue (expressions.yaml), as CEL of its
// own: virtual, seas, joined_clients, largesend, wider_mtu, split_brain, exhausted of a pool and others.
//
// unmatched_clients may be the SEA's but lack what a join needs. unread_clients
// are adapters of partitions that nobody read, but an HMC listed: their platform
// is empty where it does not say.
//
// Functions:
//
//	attr(a) num(a) nums(a)           an attribute as text, number, numbers
//	on(a) off(a)                     yes/no, on/off, 1/0, enabled/disabled
//	known(a) default(a) allowed(a)   a value was read; the host's default; its largest value
//	fixed(a)                         the host says that nobody can set it
//	switched(a) running_known(a)     whether it is on now and after a boot, as far as known; the running value was read
//	effective(a)                     a TCP option in force: interface over no
//	flag("PlatformTSO")  flag_read("PlatformTSO")  level(from, below)  installed("IV1|IV2")
//	lacks_fix("IV1|IV2")             none of them is known to be installed: a host that nobody asked lacks them
//	affected("IJ12809")              the host's software has this known defect, and no fix of it is known to be installed
//	suspected("IJ12809")             it has it, or nothing that was read excludes it
//	nfs_mounts("rsize", "<32768")    mounts of NFS with an option of that value, or below it; ("", "") all
//	interim_fix("882715") runs("gated|routed")   an interim fix whose label begins so; a subsystem of AIX is active
//	logged("ECH_.*|LINK ERROR")      entries of AIX's error log of the element, of a host all, by label or description
//	counter("A|B") has_counter("A") ppm("A", "rx.Packets") per_second("A") protocol("tcp.retransmitted") has_protocol("nfs.client.calls")
//	counter("rxq#: rx_drops")        of all queues: # is any number
//	pool("small")  element("ent4")  siblings("sea")
//	fact("rtt_ms") has_fact("rtt_ms")   what no snapshot holds, or a host's own figures
//	tools_below("1.3.8")             of a Linux host: powerpc-utils is older
//	unknown("what")                  the rule cannot know
//
// Counters are growth where an earlier snapshot is there (since they were reset,
// if that was later), else totals. In addition to CEL's own there are sum(list) and the
// extensions math (math.greatest, math.least, math.bitAnd), lists (flatten, sort)
// and bindings (cel.bind).
package expr
