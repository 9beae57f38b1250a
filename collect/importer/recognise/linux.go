package recognise

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/linux/envfile"
	"seaworthy/dialect/linux/ethtool"
	"seaworthy/dialect/linux/ipaddr"
	"seaworthy/dialect/linux/iplink"
	"seaworthy/dialect/linux/procarp"
	"seaworthy/dialect/linux/procnet"
	"seaworthy/dialect/linux/sysctl"
	"seaworthy/dialect/linux/sysfs"
)

var linuxKinds = []kind{
	{name: "ip -j link", id: "ip-link", family: Linux, mark: mark(`^\s*\[\s*(?:\{|$)`), read: readLinks},
	{name: "ip -j route", id: "ip-route", family: Linux, mark: mark(`^\s*\[\s*(?:\{\s*"(?:type|dst)"|$)`), read: readRoutes},
	{name: "ethtool", id: "ethtool", family: Linux, device: true, mark: mark(`^(?:Settings|Features|Channel parameters|Ring parameters|Coalesce parameters|Pause parameters) for \S+:|^NIC statistics:|^driver: `), read: readEthtool},
	{name: "sysctl", id: "sysctl", family: Linux, mark: mark(`^[ \t]*(?:net|kernel|vm|fs)\.[\w./-]+ ?= ?`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		s, err := sysctl.Parse(text)
		return of(s, err, func(s *sysctl.Settings) *dialect.Report { return &s.Report })
	}},
	{name: "uname -a", id: "uname-a", family: Linux, mark: mark(`^Linux \S+ \d+\.\d+\S* .*$`), read: readLinuxName, least: 0.9},
	{name: "cat /etc/os-release", id: "os-release", family: Linux, head: mark(`^(?:ID|PRETTY_NAME)=`), mark: mark(`^(?:NAME|ID|VERSION_ID|PRETTY_NAME)=`), read: readEnvFile, least: 0.9},
	{name: "cat /proc/cpuinfo", id: "cpuinfo", family: Linux, head: mark(`^processor\s*:`), mark: mark(`^(?:processor|cpu|model name|model|machine|platform|revision|siblings|cpu cores|clock|timebase|firmware|MMU|[a-z][\w ()]*)\t*\s*: ?.*$`), least: 0.95},
	{name: "cat /proc/net/arp", id: "proc-net-arp", family: Linux, mark: mark(`^IP address +HW type +Flags +HW address`), read: func(text []byte, _ *Found) (*dialect.Report, error) {
		t, err := procarp.Parse(text)
		return of(t, err, func(t *procarp.Table) *dialect.Report { return &t.Report })
	}},
	{name: "cat /proc/net/netstat", id: "proc-net-netstat", family: Linux, mark: mark(`^(?:TcpExt|IpExt|MPTcpExt): `), read: readProcNet, least: 0.9},
	{name: "cat /proc/net/snmp", id: "proc-net-snmp", family: Linux, mark: mark(`^(?:Ip|Icmp|IcmpMsg|Tcp|Udp|UdpLite): `), read: readProcNet, least: 0.9},
	{name: "cat /proc/ppc64/lparcfg", id: "lparcfg", family: Linux, mark: mark(`^lparcfg \d`), read: readEnvFile, least: 0.8},
	{name: "grep . /sys/class/net", id: "sys-class-net", family: Linux, device: true, mark: mark(`^/sys/class/net/[^/]+/\S+:`), read: readSysFiles, least: 0.9},
	{name: "grep . /proc/sys/net", id: "proc-sys-net", family: Linux, mark: mark(`^/proc/sys/\S+:`), read: readSysFiles, least: 0.9},
	{name: "ip addr", id: "ip-addr-text", family: Linux, head: mark(`^\d+: \S+: <`), mark: mark(`^(?:\d+: \S+: <[A-Z0-9_,-]*>.* mtu \d+|[ \t]+(?:link/|inet6? |valid_lft|altname|RX:|TX:|\d+ ).*)`), read: readLinkText, least: 0.5},
}

func readLinks(text []byte, f *Found) (*dialect.Report, error) {
	l, err := iplink.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(l.Links) == 0 || !strings.Contains(string(text), `"ifname"`) {
		return nil, dialect.ErrNotRecognised
	}
	if strings.Contains(string(text), `"addr_info"`) {
		f.Kind, f.ID = "ip -j addr", "ip-addr"
	}
	return &l.Report, nil
}

func readLinkText(text []byte, _ *Found) (*dialect.Report, error) {
	l, err := ipaddr.Parse(text)
	return of(l, err, func(l *ipaddr.Links) *dialect.Report { return &l.Report })
}

func readRoutes(text []byte, _ *Found) (*dialect.Report, error) {
	r, err := iplink.ParseRoutes(text)
	if err == nil && len(r.Routes) == 0 {
		return nil, dialect.ErrNotRecognised
	}
	return of(r, err, func(r *iplink.Routes) *dialect.Report { return &r.Report })
}

var ethtoolFlag = map[ethtool.Kind]string{
	"Features": "k", "Channel parameters": "l", "Ring parameters": "g", "Coalesce parameters": "c", "Pause parameters": "a",
	ethtool.Statistics: "S", ethtool.Driver: "i",
}

func readEthtool(text []byte, f *Found) (*dialect.Report, error) {
	o, err := ethtool.Parse(text)
	if err == nil && len(o.Blocks) > 0 {
		f.Element = o.Blocks[0].Device
		if flag := ethtoolFlag[o.Blocks[0].Kind]; flag != "" {
			f.Kind, f.ID = "ethtool -"+flag, "ethtool-"+flag
		}
	}
	return of(o, err, func(o *ethtool.Output) *dialect.Report { return &o.Report })
}

var linuxName = dialect.Lazy(`^Linux (\S+) \d`)

func readLinuxName(text []byte, f *Found) (*dialect.Report, error) {
	r := &dialect.Report{Lines: f.Report.Lines}
	for i, l := range strings.Split(strings.TrimRight(string(text), "\r\n"), "\n") {
		if m := linuxName.FindStringSubmatch(l); m != nil && f.Host == "" {
			f.Host, f.HostFrom = m[1], "node name of uname -a"
		} else if strings.TrimSpace(l) != "" {
			r.Unread(i+1, l)
		}
	}
	if f.Host == "" {
		return nil, dialect.ErrNotRecognised
	}
	return r, nil
}

func readEnvFile(text []byte, _ *Found) (*dialect.Report, error) {
	v, err := envfile.Parse(text)
	return of(v, err, func(v *envfile.File) *dialect.Report { return &v.Report })
}

func readProcNet(text []byte, _ *Found) (*dialect.Report, error) {
	v, err := procnet.Parse(text)
	return of(v, err, func(v *procnet.Tables) *dialect.Report { return &v.Report })
}

var sysDevice = dialect.Lazy(`(?m)^/sys/class/net/([^/]+)/`)

func readSysFiles(text []byte, f *Found) (*dialect.Report, error) {
	v, err := sysfs.Parse(text)
	if m := sysDevice.Regexp().FindSubmatch(text); m != nil && err == nil {
		f.Element = string(m[1])
	}
	return of(v, err, func(v *sysfs.Files) *dialect.Report { return &v.Report })
}
