package assemble

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/internal/parse/aix/vnicstat"
	"seaworthy/internal/parse/linewise"
)

// locationForm is the location of a virtual adapter: type, model and serial number
// of the managed system, partition, slot.
var locationForm = parse.Lazy(`^U([0-9A-Z]{4})\.([0-9A-Z]{2,4})\.([0-9A-Z]{7})-V([0-9]{1,5})-C[0-9]{1,5}(?:-T[0-9]+)?$`)

func located(location string) bool { return locationForm.MatchString(location) }

// place sets an adapter's full location, if the adapter is known. lsdev prints
// none for a virtual one, or only the end of it.
func (b *builder) place(o Output, name, location string) {
	e := b.host.Elements[name]
	if m := locationForm.FindStringSubmatch(location); m != nil {
		b.managed(o, m[1]+"-"+m[2], m[3])
		if n, err := strconv.Atoi(m[4]); err == nil && b.host.Partition.Number == nil {
			b.host.Partition.Number = &n
		}
	} else if e != nil && e.Location != "" {
		return
	}
	if e != nil {
		e.Location = location
	}
}

// lscfg has the locations of adapters; those of virtual ones name the slot
// under which an HMC knows them.
func (b *builder) lscfg(o Output, l *lscfg.List) {
	for _, r := range l.Resources {
		if !ethernet(r.Name) {
			continue
		}
		if b.host.Elements[r.Name] == nil && r.Description != "" {
			b.device(r.Name, "", "", r.Description)
		}
		b.place(o, r.Name, r.Location)
		if e := b.host.Elements[r.Name]; e != nil && e.MAC == "" {
			e.MAC = r.MAC()
		}
	}
}

// slots has the slot of each adapter, the name by which an HMC knows it.
func (b *builder) slots(o Output, l *linewise.SlotList) {
	for _, s := range l.Slots {
		for _, d := range s.Devices {
			if ethernet(d) {
				b.place(o, d, s.Location)
			}
		}
	}
}

// seastat names the clients whose frames an SEA counted.
func (b *builder) seastat(o Output, s *seastat.Statistics) {
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

func (b *builder) server(name string) *model.VNICServer {
	at := slices.IndexFunc(b.host.Servers, func(s model.VNICServer) bool { return s.Name == name })
	if at < 0 {
		at = len(b.host.Servers)
		b.host.Servers = append(b.host.Servers, model.VNICServer{Name: name})
	}
	return &b.host.Servers[at]
}

// set takes what was printed; a dash and N/A are nothing.
func set(to *string, text string) {
	if text = strings.TrimSpace(text); text != "" && text != "-" && !strings.EqualFold(text, "N/A") {
		*to = text
	}
}

func setNumber(to **int, text string) {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		*to = &n
	}
}

// servers takes the vNIC servers of lsmap -all -vnic.
func (b *builder) servers(m *lsmap.Map) {
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
func (b *builder) vnicstat(o Output, v *vnicstat.Output) {
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
	}
}
