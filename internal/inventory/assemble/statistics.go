package assemble

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/parse/linewise"
)

// statisticsFeed has what adapters of AIX and VIOS count, and how they run.
type statisticsFeed struct{ *hostBuilder }

var statisticsRows = []row{
	{"netstat-v", feeds(2, statisticsFeed.entstat)}, // imported: every adapter in one text; entstat of one says more
	{"entstat-all entstat-d", feeds(3, statisticsFeed.entstat)},
	{"entstat-state", feeds(4, statisticsFeed.seaState)},
	{"entstat-lines", feeds(4, statisticsFeed.someCounters)},
}

// entstat reads the statistics of one adapter and of the members printed
// below it. A member's counters stay the member's.
func (b statisticsFeed) entstat(o Output, l *entstat.Listing) {
	for _, s := range l.Adapters() {
		own := s.Adapter()
		if own == "" || iface(own) {
			own = o.Element
		}
		b.statistics(o, own, s)
	}
}

func (b statisticsFeed) statistics(o Output, name string, s *entstat.Statistics) {
	if !ethernet(name) || s.Empty() {
		return
	}
	e := b.element(name, model.Adapter)
	if e.Driver == "" && s.DeviceType() != "" {
		e.Kind, e.Driver = kindOf(s.DeviceType()), s.DeviceType()
	}
	if mac := s.HardwareAddress(); mac != "" {
		e.MAC = mac
	}
	if up, speed := s.Link(); up != nil || speed != nil {
		e.LinkUp, e.SpeedMb = up, speed
	}
	// Full is what every port should say, and is not kept.
	if s.Duplex() == "half" && e.Kind == model.Physical {
		now(e, "duplex", "half", search(o, "Half Duplex"))
	}
	if f := s.Flags(); f != nil {
		e.Flags, e.FlagsCut = f, !s.FlagsWhole()
	}
	if c := s.Counters(); len(c) > 0 {
		// Printed later or on its own: the same adapter's newer numbers.
		e.Counters = model.CountersOf(c)
		e.CountedS = nil
		if d := s.Elapsed(); d != nil {
			e.CountedS = new(int64(*d / time.Second))
		}
	}
	if v := s.Virtual(); v != nil {
		if e.Kind == model.Adapter {
			e.Kind = model.Virtual
		}
		b.virtual(o, e, s, v)
	}
	if br := s.Bridge(); br != nil {
		b.sea(o, e, s)
	}
	if e.Kind == model.Physical || e.Kind == model.VNIC {
		b.offloads(o, e, s)
		shares(e, s.Fields)
		if on := s.Offload(entstat.FlowControl); on != nil {
			e.FlowControl = on
		}
	}
	for _, m := range s.Members {
		b.member(name, e, m)
		b.statistics(o, m.Adapter(), m)
	}
	b.lacp(o, e, s.LACP())
	if ch := s.Channel(); ch != nil && e.Kind == model.EtherChannel {
		b.channel(o, e, ch)
	}
}

// lacp keeps what a member of an aggregation says of the switch. A word that is
// none of LACP's is not kept: it is damaged, not a difference.
func (b statisticsFeed) lacp(o Output, e *model.Element, l *entstat.LACP) {
	if l == nil {
		return
	}
	keep := func(name, v string, form *parse.Pattern) {
		if form.MatchString(v) {
			now(e, name, v, o.says(e.Name+" "+strings.ReplaceAll(name, "_", " ")+": "+v))
		}
	}
	keep("partner_system", strings.ToLower(l.Partner.System), partnerForm)
	keep("partner_key", l.Partner.Key, keyForm)
	// Expired or defaulted, the port does not hear the switch: a partner that it still shows is old.
	keep("lacp_expired", strings.ToLower(l.Actor.Expired), truthForm)
	keep("lacp_defaulted", strings.ToLower(l.Actor.Defaulted), truthForm)
	switch actor, partner := l.Actor.Synchronization, l.Partner.Synchronization; {
	case actor == "OUT_OF_SYNC" || partner == "OUT_OF_SYNC":
		keep("synchronization", "OUT_OF_SYNC", syncForm)
	case actor == partner:
		keep("synchronization", actor, syncForm)
	}
}

var (
	partnerForm = parse.Lazy(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$`)
	keyForm     = parse.Lazy(`^(?:0x)?[0-9a-fA-F]{1,5}$`)
	truthForm   = parse.Lazy(`^(?:true|false)$`)
	syncForm    = parse.Lazy(`^(?:IN|OUT_OF)_SYNC$`)
)

// channel takes what an EtherChannel prints of how it runs. Members printed as
// backups are none of the channel's where no attribute says who is.
func (b statisticsFeed) channel(o Output, e *model.Element, ch *entstat.Channel) {
	for _, x := range []struct {
		attr, printed, label string
		values               map[string]string
	}{
		{"mode", ch.OperatingMode, "Operating mode", map[string]string{"standard mode (ieee 802.3ad)": "8023ad", "standard mode": "standard",
			"round-robin mode": "round_robin", "round robin mode": "round_robin"}},
		{"hash_mode", ch.HashMode, "Hash mode", map[string]string{"destination ip address": "default", "source tcp/udp ports": "src_port",
			"destination tcp/udp ports": "dst_port", "source and destination tcp/udp ports": "src_dst_port"}},
	} {
		// An EtherChannel that nothing uses is not asked: beside the ODM its own
		// words would come and go with its interface, and look like a change.
		if v, ok := x.values[strings.ToLower(x.printed)]; ok && !b.odm[e.Name] {
			b.runs(e, x.attr, v, search(o, x.label))
		}
	}
	if name, ok := strings.CutSuffix(strings.ToLower(ch.Active), " channel"); ok && (name == "primary" || name == "backup") {
		e.Channel = name
	}
	if ch.Primary == nil || ch.Backup == nil || *ch.Backup != 1 || *ch.Primary+1 != uint64(len(e.Members)) || e.Attrs["adapter_names"] != nil {
		return
	}
	last := len(e.Members) - 1
	now(e, "backup_adapter", e.Members[last], search(o, "Number of backup adapters"))
	e.Members = e.Members[:last]
}

func (b statisticsFeed) virtual(o Output, e *model.Element, s *entstat.Statistics, v *entstat.Virtual) {
	e.PVID, e.VLANs, e.VSwitch = s.PVID(), v.VLANs, v.SwitchID
	e.Trunk, e.Bridges, e.Priority = v.Trunk, v.Active, small(v.Priority)
	e.Buffers = nil
	pools := s.Buffers()
	if len(pools) > 0 && !allPools(pools) {
		b.gap(o.Command, e.Name+": the table of receive buffers lacks columns, so its numbers may lack digits: left out")
		pools = nil
	}
	for _, p := range pools {
		e.Buffers = append(e.Buffers, model.Buffer{Pool: p.Name, Min: p.Min, Max: p.Max, Allocated: p.Allocated,
			Registered: p.Registered, MaxAllocated: p.MaxAllocated, LowestRegistered: p.LowestRegistered})
		// In the mode that allocates everything at once the driver prints Min
		// as Max: that says nothing about the attribute.
		low := strings.ToLower(p.Name)
		if p.Max != nil {
			b.runs(e, "max_buf_"+low, fmt.Sprint(*p.Max), search(o, "Max Buffers"))
		}
		if p.Min != nil && strings.EqualFold(v.BufferMode, "min") {
			b.runs(e, "min_buf_"+low, fmt.Sprint(*p.Min), search(o, "Min Buffers"))
		}
	}
	if mode := strings.ReplaceAll(strings.ToLower(v.BufferMode), " ", "_"); mode == "min" || mode == "max" || mode == "max_min" {
		b.runs(e, "buf_mode", mode, search(o, "Buffer Mode"))
	}
}

// small is a trunk priority; nil for what is none.
func small(n *uint64) *int {
	if n == nil || *n < 1 || *n > 15 {
		return nil
	}
	return new(int(*n))
}

// allPools reports whether a table has all its columns, Control aside: a line that a
// terminal broke ends in the middle of a number.
func allPools(pools []entstat.Pool) bool {
	left := []string{"tiny", "small", "medium", "large", "huge"}
	for _, p := range pools {
		left = slices.DeleteFunc(left, func(name string) bool { return strings.EqualFold(name, p.Name) })
	}
	return len(left) == 0
}

// bridgeFlags are the flags of the SEA driver, and the attributes that set them.
var bridgeFlags = []struct{ flag, attr, on, off string }{
	{"LARGESEND", "largesend", "1", "0"},
	{"LARGE_RECEIVE", "large_receive", "yes", "no"},
	{"THREAD", "thread", "1", "0"},
	{"ACCOUNTING", "accounting", "enabled", "disabled"},
}

// sea takes what runs from the flags that the SEA driver prints.
func (b statisticsFeed) sea(o Output, e *model.Element, s *entstat.Statistics) {
	br := s.Bridge()
	spoilt := slices.IndexFunc(br.Flags, func(f string) bool { return !flagForm.MatchString(f) })
	if spoilt >= 0 {
		b.gap(o.Command, fmt.Sprintf("SEA Flags: %q is not a flag, so a flag that is missing may be on", br.Flags[spoilt]))
	}
	for _, x := range bridgeFlags {
		if word, err := strconv.ParseUint(br.FlagWord, 16, 64); len(br.Flags) == 0 && (err != nil || word != 0) {
			continue // flags there are, but not one was readable
		}
		v, from := x.off, search(o, "SEA Flags")
		if slices.Contains(br.Flags, x.flag) {
			v, from = x.on, search(o, "<", x.flag)
		} else if spoilt >= 0 {
			continue
		}
		b.runs(e, x.attr, v, from)
	}
	if ha := s.HA(); ha != nil {
		e.HAState, e.BridgeMode = ha.State, ha.BridgeMode
		e.Shared, e.Priority = ha.Shared, small(ha.Priority)
		if ha.Mode != "" {
			b.runs(e, "ha_mode", strings.ToLower(ha.Mode), search(o, "High Availability Mode"))
		}
	}
}

// seaState takes the state that was picked out of the statistics of an SEA, which only the command line names.
func (b statisticsFeed) seaState(o Output, s *linewise.SEAState) {
	m := adapterName.FindStringSubmatch(o.Command)
	if s.State == "" || m == nil {
		return
	}
	e := b.element(m[0], model.SEA)
	if e.HAState == "" {
		e.Kind, e.HAState = model.SEA, s.State
	}
}

// someCounters takes the counters that were picked out of the statistics of an adapter, which only the command line names. A label that
// stands there twice is of two adapters, or of two columns: which value is whose nothing says.
func (b statisticsFeed) someCounters(o Output, c *linewise.AdapterCounters) {
	if !ethernet(o.Element) {
		b.gap(o.Command, "no text names the adapter that counted this")
		return
	}
	times := map[string]int{}
	for _, x := range c.Counters {
		times[x.Name]++
	}
	e := b.element(o.Element, model.Adapter)
	some := map[string]uint64{}
	for _, x := range c.Counters {
		_, had := e.Counters.Get(x.Name)
		if times[x.Name] == 1 && !had {
			some[x.Name] = x.Value
		}
	}
	for name := range some {
		if e.Kind == model.Adapter && strings.HasPrefix(name, "Hypervisor ") { // no other adapter has such counters
			e.Kind = model.Virtual
		}
	}
	if len(some) > 0 {
		e.Counters = e.Counters.With(some)
	}
}

// adapterName is an adapter in a command line.
var adapterName = parse.Lazy(`\bent[0-9]+\b`)

// flagForm is a flag as a driver spells one.
var flagForm = parse.Lazy(`^[A-Za-z0-9_]+$`)

func (b statisticsFeed) member(name string, e *model.Element, m *entstat.Statistics) {
	add := func(list *[]string) {
		if n := m.Adapter(); ethernet(n) && !slices.Contains(*list, n) {
			*list = append(*list, n)
		}
	}
	switch {
	case e.Kind == model.EtherChannel:
		add(&e.Members)
	case e.Kind != model.SEA:
	case m.Role == entstat.RealAdapter:
		e.Real = m.Adapter()
	case m.Role == entstat.VirtualAdapter:
		add(&e.Trunks)
	case m.Role == entstat.ControlChannel:
		e.Control = m.Adapter()
	}
}

// offloads takes what runs from the driver's own lines. Large receive is left
// out: an SEA without it switches it off underneath, whatever the port is set to.
func (b statisticsFeed) offloads(o Output, e *model.Element, s *entstat.Statistics) {
	for _, x := range []struct {
		feature entstat.Feature
		attr    string
	}{
		{entstat.LargeSend, "large_send"},
		{entstat.JumboFrames, "jumbo_frames"},
		{entstat.TransmitChecksum, "chksum_offload"},
	} {
		on := s.Offload(x.feature)
		a := e.Attrs[x.attr]
		if on == nil || a == nil {
			continue
		}
		v := "no"
		if *on {
			v = "yes"
		}
		// A driver flag can be a shared word: believe it only in the form the
		// attribute itself has.
		if a.NextBoot != nil && *a.NextBoot != "yes" && *a.NextBoot != "no" {
			continue
		}
		running(e, x.attr, v, o.says(fmt.Sprintf("%s of %s is %s", x.attr, e.Name, v)))
	}
}
