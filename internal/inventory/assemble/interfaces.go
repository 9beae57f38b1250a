package assemble

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/internal/parse/aix/netstat/interfaces"
)

// interfaceFeed has the interfaces of AIX: flags, options, addresses.
type interfaceFeed struct{ *hostBuilder }

var interfaceRows = []row{
	{"ifconfig-a", feeds(3, interfaceFeed.ifconfig)},
	{"netstat-in", feeds(3, interfaceFeed.netstatIn)},
}

// isno are the interface-specific network options that ifconfig shows.
var isno = []string{"tcp_sendspace", "tcp_recvspace", "rfc1323", "tcp_nodelay", "tcp_mssdflt"}

// ifconfig reads addresses, flags and the options that run now.
func (b interfaceFeed) ifconfig(o Output, c *ifconfig.Config) {
	printed := map[string]bool{}
	for _, i := range c.Interfaces {
		if !iface(i.Name) {
			continue
		}
		printed[i.Name] = true
		e := b.element(i.Name, model.Interface)
		if !b.kept(e) {
			continue
		}
		e.Flags, e.FlagsCut = slices.DeleteFunc(slices.Clone(i.Flags), func(n string) bool { return !utf8.ValidString(n) }), !i.Whole()
		from := search(o, i.Name+": flags")
		if up, known := i.Has("UP"); known {
			e.Up = &up
			state := "down"
			if up {
				state = "up"
			}
			b.state(e, state, from)
		}
		if on, known := i.Has("LARGESEND"); known {
			b.runs(e, "mtu_bypass", largesend(e, on), from)
		}
		for _, name := range isno {
			if e.Attrs[name] == nil && b.odm[i.Name] || len(i.Options) == 0 && i.Cut {
				continue
			}
			if v, ok := i.Option(name); ok {
				b.runs(e, name, strconv.FormatUint(v, 10), search(o, name+" "+strconv.FormatUint(v, 10)))
			} else if e.Up != nil && *e.Up && !i.Unread {
				b.runs(e, name, "", from)
			}
		}
		b.checksum(e, i, from)
		for _, a := range i.Addresses {
			if p, ok := a.Prefix(); ok && !p.Addr().IsLinkLocalUnicast() && !p.Addr().IsLoopback() {
				e.Addrs = append(e.Addrs, p)
			}
		}
	}
	if len(c.Interfaces) > 0 && o.Problem == "" && o.Exit == 0 && !o.cut && len(c.Unknown) == 0 && !c.Interfaces[len(c.Interfaces)-1].Cut {
		b.detached(o, printed)
	}
}

// detached are the interfaces of the ODM that ifconfig -a does not show: the
// IP layer does not know them.
func (b interfaceFeed) detached(o Output, printed map[string]bool) {
	for name, e := range b.host.Elements {
		if e.Kind == model.Interface && iface(name) && !printed[name] {
			e.Up = new(false)
			b.state(e, "detach", o.says(name+" is not there"))
		}
	}
}

// state returns what an interface that has an address in the ODM is now. One that
// has none is nobody's business.
func (b interfaceFeed) state(e *model.Element, now string, from model.Origin) {
	if a := e.Attrs["netaddr"]; a != nil && a.NextBoot != nil && *a.NextBoot != "" {
		running(e, "state", now, from)
	}
}

// largesend names the running value: the flag is the same for plso and on.
func largesend(e *model.Element, on bool) string {
	if !on {
		return "off"
	}
	if a := e.Attrs["mtu_bypass"]; a != nil && a.NextBoot != nil && *a.NextBoot == "plso" {
		return "plso"
	}
	return "on"
}

// checksum takes the adapter's running chksum_offload from its interface: the
// flag says that it is active.
func (b interfaceFeed) checksum(e *model.Element, i *ifconfig.Interface, from model.Origin) {
	active, known := i.Has("CHECKSUM_OFFLOAD(ACTIVE)")
	adapter := b.host.Elements["ent"+strings.TrimPrefix(e.Name, "en")]
	if !known || adapter == nil || e.Up == nil || !*e.Up {
		return
	}
	v := "no"
	if active {
		v = "yes"
	}
	b.runs(adapter, "chksum_offload", v, from)
}

// netstatIn reads the MTU that runs and the interface counters.
func (b interfaceFeed) netstatIn(o Output, t *interfaces.Table) {
	seen := map[string]bool{}
	for _, r := range t.Rows {
		if !iface(r.Name) {
			continue
		}
		e := b.element(r.Name, model.Interface)
		if mac := r.MAC(); mac != "" && e.MAC == "" {
			e.MAC = mac
		}
		if e.Up == nil {
			e.Up = new(!r.Down)
		}
		if a, err := netip.ParseAddr(r.IP()); err == nil && !a.IsLinkLocalUnicast() {
			b.found[r.Name] = append(b.found[r.Name], a)
		}
		if seen[r.Name] {
			continue // every row of an interface repeats its counters
		}
		seen[r.Name] = true
		if r.MTU > 0 {
			b.runs(e, "mtu", strconv.FormatUint(r.MTU, 10), search(o, r.Name))
		}
		e.Counters = e.Counters.With(r.Counters)
	}
}

// addresses completes what ifconfig did not say: padmin without root has only
// netstat, which prints an interface's addresses without their lengths. The
// ODM or the route to the network itself has these.
func (b interfaceFeed) addresses() {
	links := map[ofElement]bool{}
	for _, r := range b.host.Routes {
		if !r.Gateway.IsValid() {
			links[ofElement{r.Interface, r.To.Masked()}] = true
		}
	}
	for name, list := range b.found {
		e := b.host.Elements[name]
		if e == nil || len(e.Addrs) > 0 {
			continue
		}
		for _, addr := range list {
			bits, ok := configured(e, addr)
			if !ok {
				bits, ok = onLink(links, name, addr)
			}
			if !ok {
				b.gap(name+" "+addr.String(), "its netmask is in no output (ifconfig -a)")
				continue
			}
			b.address(e, netip.PrefixFrom(addr, bits))
		}
	}
}

// address adds one to an element, once.
func (b interfaceFeed) address(e *model.Element, p netip.Prefix) {
	if at := (ofElement{e.Name, p}); !b.addressed[at] {
		b.addressed[at] = true
		e.Addrs = append(e.Addrs, p)
	}
}
