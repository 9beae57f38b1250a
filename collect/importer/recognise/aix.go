package recognise

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/arp"
	"seaworthy/dialect/aix/errpt"
	"seaworthy/dialect/aix/ifconfig"
	"seaworthy/dialect/aix/instfix"
	"seaworthy/dialect/aix/lparstat"
	"seaworthy/dialect/aix/lsattr"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/dialect/aix/lsdev"
	"seaworthy/dialect/aix/lsmap"
	"seaworthy/dialect/aix/netstat/interfaces"
	"seaworthy/dialect/aix/netstat/mbufs"
	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/dialect/aix/netstat/routes"
	"seaworthy/dialect/aix/no"
	"seaworthy/dialect/aix/prtconf"
	"seaworthy/dialect/aix/slots"
	"seaworthy/dialect/aix/viosrules"
)

var aixKinds = []kind{
	{name: "ifconfig -a", id: "ifconfig-a", family: AIX, mark: mark(`^[ \t]*[a-z]+\d+:\s+flags=[0-9a-fA-F]|^(?:(?:en|et|lo|sit|tr|ib|ml)\d+[ \t]*)+$`), read: readIfconfig},
	{name: "netstat -in", id: "netstat-in", family: AIX, mark: mark(`^[ \t]*Name +Mtu +Network`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		t, err := interfaces.Parse(text)
		return of(t, err, func(t *interfaces.Table) *dialect.Report { return &t.Report })
	}},
	{name: "netstat -rn", id: "netstat-rn", family: AIX, mark: mark(`^[ \t]*(?:Routing tables|Route [Tt]ree for Protocol|Destination +Gateway +Flags)`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		t, err := routes.Parse(text)
		return of(t, err, func(t *routes.Table) *dialect.Report { return &t.Report })
	}},
	{name: "netstat -s", id: "netstat-s", family: AIX, mark: mark(`^[ \t]*(?:icmp|igmp|tcp|udp|ip|ipv6|icmpv6):[ \t\r]*$`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		s, err := protocols.Parse(text)
		return of(s, err, func(s *protocols.Statistics) *dialect.Report { return &s.Report })
	}},
	{name: "netstat -m", id: "netstat-m", family: AIX, mark: mark(`^[ \t]*(?:Kernel malloc statistics|By size +inuse|\d+ mbufs? in use)`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		s, err := mbufs.Parse(text)
		return of(s, err, func(s *mbufs.Statistics) *dialect.Report { return &s.Report })
	}},
	{name: "no -a", id: "no-a", family: AIX, mark: mark(`^[ \t]*(?:NAME +CUR +DEF|[a-z][a-z0-9_%]+ = (?:-?[\d.]+|\{.*\}|[a-z]\S*|)[ \t]*$)`), read: readTunables, least: 0.8},
	{name: "lsmap", id: "lsmap", family: VIOS, mark: mark(`^[ \t]*(?:SVEA +Physloc|SVSA +Physloc|Name +Physloc +ClntID)|^(?:ent|vhost|vfchost)\d+[:,|]`), read: readLsmap},
	{name: "lsattr -El", id: "lsattr-El", family: AIX, device: true, mark: mark(`^[ \t]*\w+[ \t].*(?:True\+?|False)[ \t\r]*$|^[a-z]\w*:[^:\n]*:.*(?:True\+?|False)[ \t\r]*$|^[ \t]*[\d.]+\.\.\.[\d.]+(?: \(\+\d+\))?[ \t\r]*$|^attribute +value +description`), read: readLsattr, least: 0.6},
	{name: "lsdev -Cc adapter", id: "lsdev-Cc-adapter", family: AIX, mark: mark(`^[ \t]*\S+[ \t]+(?:Available|Defined|Stopped)\b|^[ \t]*name[ :]+\w+|^[a-zA-Z]+\d+:[\w,/.-]+:\S`), read: readLsdev, least: 0.6},
	{name: "lparstat -i", id: "lparstat-i", family: AIX, mark: mark(`^[ \t]*(?:Node  ?Name|Partition  ?(?:Name|Number|Group)|Entitled  ?Capacity|Online  ?Virtual  ?CPUs|WPAR Key|Type|Mode)[ \t]*:`), read: readLparstat},
	{name: "lparstat", id: "lparstat", family: AIX, mark: mark(`^[ \t]*System configuration: type=`), read: readLparstat},
	{name: "errpt", id: "errpt", family: AIX, mark: mark(`^[ \t]*(?:IDENTIFIER +TIMESTAMP +T|LABEL:\s+\w|[0-9A-F]{8} +\d{10} +[A-Z] +[A-Z] )`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		r, err := errpt.Parse(text)
		return of(r, err, func(r *errpt.Report) *dialect.Report { return &r.Report })
	}},
	{name: "arp -an", id: "arp-an", family: AIX, mark: mark(`^[ \t]*\S+ \([0-9.]+\) at (?:\(incomplete\)|[0-9A-Fa-f]{1,2}:)|^There are \d+ entries in the arp table\.`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		t, err := arp.Parse(text)
		return of(t, err, func(t *arp.Table) *dialect.Report { return &t.Report })
	}},
	{name: "instfix -ik", id: "instfix-ik", family: AIX, mark: mark(`^[ \t]*(?:(?:All|Not all) filesets for \S+ were found\.|There was no data for \S+ in the fix database\.)[ \t\r]*$`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		l, err := instfix.Parse(text)
		return of(l, err, func(l *instfix.List) *dialect.Report { return &l.Report })
	}},
	{name: "rules -o diff", id: "rules-diff", family: VIOS, mark: mark(`^devParam\.\S+[ \t].*\S[ \t]+\|[ \t]+\S+[ \t\r]*$`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		d, err := viosrules.Parse(text)
		return of(d, err, func(d *viosrules.Diff) *dialect.Report { return &d.Report })
	}},
	{name: "lsdev -slots", id: "lsdev-slots", family: VIOS, head: mark(`^# Slot +Description +Device`), mark: mark(`^(?:# Slot +Description|U[0-9A-Z]{4}\..* {2,}\S| {10,}\S+ *$)`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		l, err := slots.Parse(text)
		return of(l, err, func(l *slots.List) *dialect.Report { return &l.Report })
	}},
	{name: "prtconf", id: "prtconf", family: AIX, mark: mark(`^[ \t]*(?:System Model: |Machine Serial Number: )`), read: readPrtconf},
	{name: "lscfg", id: "lscfg", family: AIX, mark: mark(`^[ \t]*INSTALLED RESOURCE LIST|^[ \t]*(?:[+*-] )?[a-z]+\d+[ \t]+(?:U[0-9A-Z]+[.-]|[0-9A-Z]{2}-[0-9A-Z]{2}|[PU]\d)\S*[ \t]|^ {6,}(?:Network Address|Hardware Location Code|ROM Level)\.`), read: readLscfg},
}

func readIfconfig(text []byte, f *Found) (*dialect.Report, error) {
	c, err := ifconfig.Parse(text)
	if err == nil && len(c.Interfaces) == 0 {
		f.Kind, f.ID = "ifconfig -l", "ifconfig-l"
	}
	return of(c, err, func(c *ifconfig.Config) *dialect.Report { return &c.Report })
}

// tunersOf know a tuning command by the first words of its tunables.
var tunersOf = []struct {
	name  string
	names *dialect.Pattern
}{
	{"vmo", dialect.Lazy(`^(?:ame_|maxpin|minperm|maxperm|maxclient|lru|v_pin|vmm|lgpg|minfree|maxfree|nokilluid|npswarn|num_spec|page_steal|strict_|wlm_)`)},
	{"ioo", dialect.Lazy(`^(?:aio_|j2_|lvm_|numclust|numfsbufs|pd_npages|posix_aio|pv_min|sync_release|maxpgahead|minpgahead)`)},
	{"schedo", dialect.Lazy(`^(?:affinity_lim|big_tick|ded_cpu|fixed_pri|krlock|maxspin|pacefork|proc_disk|sched_|smt_|smtrunq|timeslice|unboost|vpm_|v_exempt|v_min|v_rep|v_sec|%usDelta)`)},
	{"nfso", dialect.Lazy(`^(?:nfs_|lockd_|statd_|portcheck|client_del|server_del)`)},
}

// readTunables tells no from the other tuning commands, which print alike.
func readTunables(text []byte, f *Found) (*dialect.Report, error) {
	t, err := no.Parse(text)
	if err != nil {
		return nil, err
	}
	if t.Layout.Form == no.List {
		f.Kind, f.ID = "no -L", "no-L"
	}
	for _, other := range tunersOf {
		n := 0
		for _, x := range t.Tunables {
			if other.names.MatchString(x.Name) {
				n++
			}
		}
		if n*4 > len(t.Tunables) {
			f.Kind, f.ID, f.Known = other.name, other.name, false
		}
	}
	return &t.Report, nil
}

func readLsmap(text []byte, f *Found) (*dialect.Report, error) {
	m, err := lsmap.Parse(text)
	if err == nil && len(m.Adapters) > 0 {
		f.Kind, f.ID = "lsmap -all -net", "lsmap-all-net"
	}
	return of(m, err, func(m *lsmap.Map) *dialect.Report { return &m.Report })
}

func readLsattr(text []byte, f *Found) (*dialect.Report, error) {
	l, err := lsattr.Parse(text)
	if err != nil {
		return nil, err
	}
	switch {
	case len(l.Allowed) > 0 && len(l.Attributes) == 0:
		f.Kind, f.ID = "lsattr -Rl", "lsattr-Rl"
	case l.Form.Kind == lsattr.DevAttr().Kind && l.Form.Heading && strings.Contains(string(text[:min(len(text), 400)]), "user_settable"):
		f.Kind, f.ID, f.Family = "lsdev -dev", "lsdev-dev-attr", VIOS
	}
	if l.Get("hostname") != nil && l.Get("rout6") != nil || l.Get("hostname") != nil && l.Get("route") != nil {
		f.Element = "inet0"
		if v, ok := l.Value("hostname"); ok {
			f.Host, f.HostFrom = v, "hostname of inet0"
		}
	}
	if _, ok := l.Value("systemid"); ok && l.Get("modelname") != nil {
		f.Element = "sys0"
	}
	return &l.Report, nil
}

func readLsdev(text []byte, f *Found) (*dialect.Report, error) {
	l, err := lsdev.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(l.Devices) == 0 {
		return nil, dialect.ErrNotRecognised
	}
	interfacesOnly, sea := true, false
	for _, d := range l.Devices {
		interfacesOnly = interfacesOnly && interfaceName.MatchString(d.Name)
		sea = sea || d.Type == "sea" || strings.Contains(d.Description, "Shared Ethernet Adapter")
	}
	switch {
	case l.Form.Kind == lsdev.VIOS:
		f.Kind, f.ID, f.Family = "lsdev", "lsdev", VIOS
	case interfacesOnly:
		f.Kind, f.ID = "lsdev -Cc if", "lsdev-Cc-if"
	}
	if sea {
		f.Family = VIOS
	}
	return &l.Report, nil
}

var interfaceName = dialect.Lazy(`^(?:en|et|lo|sit|tr|ib|ml|vi|xs)\d+$`)

func readLparstat(text []byte, f *Found) (*dialect.Report, error) {
	o, err := lparstat.Parse(text)
	if err != nil {
		return nil, err
	}
	switch {
	case len(o.Fields) > 0 && len(o.Tables) == 0:
		f.Kind, f.ID = "lparstat -i", "lparstat-i"
		if n, ok := o.Text("Node Name"); ok {
			f.Host, f.HostFrom = strings.TrimSpace(n), "node name of lparstat -i"
		}
		if o.Field("WPAR Key") != nil {
			f.Kind, f.ID = "lparstat -W", "lparstat-W"
		}
	case len(o.Tables) > 0 && len(o.Tables[0].Calls) > 0:
		f.Kind, f.ID = "lparstat -H", "lparstat-H"
	default:
		f.Kind, f.ID = "lparstat", "lparstat"
	}
	return &o.Report, nil
}

func readPrtconf(text []byte, f *Found) (*dialect.Report, error) {
	c, err := prtconf.Parse(text)
	if err == nil {
		if v, ok := c.Get("Network Information", "Host Name"); ok {
			f.Host, f.HostFrom = v, "host name in prtconf"
		}
	}
	return of(c, err, func(c *prtconf.Config) *dialect.Report { return &c.Report })
}

func readLscfg(text []byte, _ *Found) (*dialect.Report, error) {
	l, err := lscfg.Parse(text)
	if err == nil && len(l.Resources) == 0 {
		return nil, dialect.ErrNotRecognised
	}
	return of(l, err, func(l *lscfg.List) *dialect.Report { return &l.Report })
}
