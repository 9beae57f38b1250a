package assemble

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/internal/parse/aix/vnicstat"
	"seaworthy/internal/parse/labels"
)

// clientFeed has what a VIOS carries for its clients.
type clientFeed struct{ *hostBuilder }

var clientRows = []row{
	{"lsmap-all-net lsmap", feeds(2, clientFeed.lsmap)}, // lsmap: -all -vnic among others
	{"vnicstat", feeds(4, clientFeed.vnicstat)},         // after entstat, whose counters it adds to
	{"seastat", feeds(4, clientFeed.seastat)},
}

// locationForm is the location of a virtual adapter: type, model and serial number
// of the managed system, partition, slot.
var locationForm = parse.Lazy(`^U([0-9A-Z]{4})\.([0-9A-Z]{2,4})\.([0-9A-Z]{7})-V([0-9]{1,5})-C[0-9]{1,5}(?:-T[0-9]+)?$`)

func located(location string) bool { return locationForm.MatchString(location) }

// seastat names the clients whose frames an SEA counted.
func (b clientFeed) seastat(o Output, s *seastat.Statistics) {
	e := b.host.Elements[cmp.Or(s.Device, o.Element)]
	if e == nil || e.Kind != model.SEA {
		return
	}
	for _, c := range s.Clients {
		client := model.SEAClient{MAC: canonical(c.MAC)}
		if c.VLAN != nil && *c.VLAN >= 1 && *c.VLAN <= 4094 {
			client.VLAN = new(int(*c.VLAN))
		}
		if a, err := netip.ParseAddr(c.IP); err == nil {
			client.IP = a.String()
		}
		e.Clients = append(e.Clients, client)
	}
}

// canonical is a MAC address as the inventory has them: some levels leave out
// leading zeros.
func canonical(mac string) string {
	parts := strings.Split(strings.ToLower(mac), ":")
	for i, p := range parts {
		if len(p) == 1 {
			parts[i] = "0" + p
		}
	}
	return strings.Join(parts, ":")
}

func (b clientFeed) server(name string) *model.VNICServer {
	at := slices.IndexFunc(b.host.Servers, func(s model.VNICServer) bool { return s.Name == name })
	if at < 0 {
		at = len(b.host.Servers)
		b.host.Servers = append(b.host.Servers, model.VNICServer{Name: name})
	}
	return &b.host.Servers[at]
}

// set takes what was printed; a dash and N/A are nothing.
func set(to *string, text string) {
	text = strings.TrimSpace(text)
	if text != "" && text != "-" && !strings.EqualFold(text, "N/A") {
		*to = text
	}
}

func setNumber(to **int, text string) {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		*to = &n
	}
}

// servers takes the vNIC servers of lsmap -all -vnic.
func (b clientFeed) servers(m *lsmap.Map) {
	for _, o := range m.Others {
		if !strings.HasPrefix(o.Name, "vnicserver") {
			continue
		}
		s := b.server(o.Name)
		// Name, physical location, client's id, name and operating system. The
		// name may be missing, and then the system with it.
		if len(o.Fields) > 1 {
			setNumber(&s.ClientID, o.Fields[1])
		}
		if len(o.Fields) > 2 {
			set(&s.Client, o.Fields[2])
		}
		for _, d := range o.Details {
			switch strings.ToLower(strings.TrimSpace(d.Label)) {
			case "backing device":
				if ethernet(d.Value) {
					s.Backing = d.Value
				}
			case "client device name":
				set(&s.ClientDevice, d.Value)
			case "client device physloc":
				set(&s.ClientLocation, d.Value)
			}
		}
	}
}

// vnicstat says which port carries a client's vNIC, and whether it does now.
func (b clientFeed) vnicstat(o Output, v *vnicstat.Output) {
	for _, x := range v.Servers {
		s := b.server(x.Name)
		text := func(label string) string {
			f := x.Find(label, "")
			if n := f.Count(); n != nil {
				return strconv.FormatUint(*n, 10)
			}
			return f.String()
		}
		if d := text("Backing Device Name"); ethernet(d) {
			s.Backing = d
		}
		set(&s.State, text("Failover State"))
		set(&s.Client, text("Client Partition Name"))
		set(&s.ClientDevice, text("Client Device Name"))
		set(&s.ClientLocation, text("Client Device Location Code"))
		setNumber(&s.ClientID, text("Client Partition ID"))
		setNumber(&s.Priority, text("Failover Priority"))
		if is := ready(text("Failover Readiness")); is != nil {
			s.Ready = is
		}
		if s.Backing == "" {
			continue
		}
		e := b.element(s.Backing, model.Physical)
		e.Counters = e.Counters.With(vnicCounters(x))
		if x.Backing != nil {
			shares(e, x.Backing.Fields)
		}
	}
}

// vnicCounters are what a vNIC server counts of its client and of the device that carries it.
func vnicCounters(s *vnicstat.Server) map[string]uint64 {
	counters := map[string]uint64{}
	for _, label := range []string{
		"Login Requests", "Reboots", "Link State Indications", "Error Indications", "Adapter Problem", "Firmware Problem",
		"Device Driver Problem", "EEH Recovery",
	} {
		if n := s.Find(label, "").Count(); n != nil {
			counters["vnic."+label] = *n
		}
	}
	return counters
}

// shares takes what an SR-IOV logical port may use of its physical port, as its driver prints it.
func shares(e *model.Element, fields []*labels.Field) {
	e.Capacity = cmp.Or(sharePrinted(fields, "VF Minimum Bandwidth"), e.Capacity)
	e.MaxCapacity = cmp.Or(sharePrinted(fields, "VF Maximum Bandwidth"), e.MaxCapacity)
}

func sharePrinted(fields []*labels.Field, label string) *float64 {
	text, ok := strings.CutSuffix(labels.Find(fields, label).String(), "%")
	v, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil || !(v > 0 && v <= 100) {
		return nil
	}
	return &v
}

// lsmap says which trunk adapters belong to which SEA, where the SEA's own
// attributes were not to be had.
func (b clientFeed) lsmap(o Output, m *lsmap.Map) {
	b.servers(m)
	b.mapped(o, m)
	for _, a := range m.Adapters {
		if ethernet(a.Name) && located(a.PhysLoc) {
			b.setLocation(o, a.Name, a.PhysLoc)
		}
		if !ethernet(a.Name) || !ethernet(a.SEA) {
			continue
		}
		sea := b.element(a.SEA, model.SEA)
		if !slices.Contains(sea.Trunks, a.Name) {
			sea.Trunks = append(sea.Trunks, a.Name)
		}
		if ethernet(a.Backing) {
			sea.Real = a.Backing
		}
	}
}

// mapped counts them where lsmap -all lists what each carries. It lists one kind
// at a time: that none is there says nothing.
func (b clientFeed) mapped(o Output, m *lsmap.Map) {
	var lines []int
	for _, x := range m.Others {
		if numbered(x.Name, "vhost") {
			lines = append(lines, x.Line)
		}
	}
	if _, known := b.host.Figures[model.VirtualSCSI]; len(lines) > 0 && !known && entire(o, &m.Report) {
		b.count(o, model.VirtualSCSI, lines)
	}
}
