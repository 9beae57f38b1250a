// Package audit judges an inventory by the catalogue's rules. A rule's verdict
// on an element is a finding: PASS, FINDING, NOT_ASSESSED with what is
// missing, or NOT_APPLICABLE.
//
// Rules are data (package catalog). Their conditions are expressions of
// github.com/expr-lang/expr over the words below, evaluated in three values:
// what the inventory does not hold is neither true nor false, and makes the
// verdict NOT_ASSESSED unless the outcome does not depend on it. "and", "or",
// "not", "?:", any, all and none follow that logic; within the latter # is the
// list's element. A rule cannot change anything.
//
// Elements have the fields kind, name, host, platform, machine and driver. The
// judged one is el. Kinds are those of package inventory, and "tunables" (no
// or sysctl options of a host, judged as host:no or host:sysctl) and "host".
//
// Values, each from running values or, where those will change, once more from
// the next-boot ones:
//
//	attr(e, "mtu")  num(e, "mtu")     as text, as a number
//	on(e, a)  off(e, a)               yes/no, on/off, 1/0, enabled/disabled
//	has(e, a)                         whether the value is known at all
//	allowed(e, a)                     the largest value lsattr -R lists
//	drift(e)                          attributes whose next-boot value differs, unless a finding named them
//	changed(e, a)  unusual(e)         not at its default; attributes that are not and that no rule speaks about
//	flag(e, "PlatformTSO")  used(e)  up(e)  link(e)  speed(e)  trunk(e)  pvid(e)  vlans(e)  state(e)  bridging(e)  flow(e)
//	level(e, from, below)             whether the host's level lies between
//	largesend(e)  differs(e)          of an interface: in use at all; flag and attribute disagree
//	below(e, a, n)                    of an interface: a buffer in force, or its own while use_isno is off, is less
//	sendspace(e)  recvspace(e)  scaling(e)   TCP options in force: interface over no
//	largest_buffer(tunables)  partition(e, "entitled")
//
// Counters and receive pools; with an earlier snapshot counters are growth
// (since they were reset, if that was later), else totals:
//
//	counter(e, "A|B")  counted(e, "A")  deltas(e)  proto(e, "tcp.retransmitted")
//	rate(e, "A")  ppm(e, "A", "rx.Packets")   a second; of a million
//	pools(e), and of a pool: low(p) high(p) least(p) most(p)
//	starved(e, "small")  grown(e, "small")  roomier(e, "small")  topped(e, "small")
//
// Other elements:
//
//	adapter(e)  ports(e)  real(sea)  trunks(sea)  members(ec)  named(e, "ent4")
//	over(e)  owners(e)  interfaces(e)  siblings(e, kind)  options(e)
//	virtual(e)  virtuals(e)          whether its frames leave by virtual adapters, and by which
//	seas(e)  clients(sea or trunk adapter)  seen(sea)  loose(sea)  unread(sea)
//	mates(sea)  alone(sea)  bridged(sea)  twice(sea)  private(e)
//	priority(trunk)  active(trunk)  torn(trunk)  misplaced(sea, trunk)  controls(e)  vswitch(e)  tag(vlan)  twins(e)
//	carriers(e)  peers(e)  within(e)  subnet_mtu(e)  wider_mtu(e)  agreed(e)  mixed(e, "linux")
//
// seen is clients without a complaint if there are none; loose are clients
// that may be the SEA's but lack what a join needs; unread are adapters of
// partitions that nobody read, but an HMC listed: their platform is empty where it
// does not tell. alone and private ask an HMC's list of the whole managed system.
//
// What no snapshot holds is asked for as measured(e, "rtt_ms"), which also
// gives the figures of a host that its outputs hold (inventory.Figure);
// given(e, "rtt_ms") tells whether it is there, fixed(e, "IV1|IV2") whether
// one of these APARs is installed, and unknown("what") says that the rule
// cannot know. Helpers: one_of, list, third, doubled.
//
// One wrong setting is one finding, and findings of one cause are a Group. A
// rule may say which others' findings it explains: those on its element, or on
// what it affects, become part of it. A rule marked rest is judged last and is
// told of no difference that another finding has named.
package audit
