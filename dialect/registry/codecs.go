package registry

import (
	"seaworthy/dialect"
	"seaworthy/dialect/aix/arp"
	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/aix/errpt"
	"seaworthy/dialect/aix/etime"
	"seaworthy/dialect/aix/hmc"
	"seaworthy/dialect/aix/ifconfig"
	"seaworthy/dialect/aix/instfix"
	"seaworthy/dialect/aix/ioslevel"
	"seaworthy/dialect/aix/lparstat"
	"seaworthy/dialect/aix/lsattr"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/dialect/aix/lsdev"
	"seaworthy/dialect/aix/lsmap"
	"seaworthy/dialect/aix/lsseas"
	"seaworthy/dialect/aix/lssrc"
	"seaworthy/dialect/aix/netstat/interfaces"
	"seaworthy/dialect/aix/netstat/mbufs"
	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/dialect/aix/netstat/routes"
	"seaworthy/dialect/aix/no"
	"seaworthy/dialect/aix/oslevel"
	"seaworthy/dialect/aix/prtconf"
	"seaworthy/dialect/aix/seastat"
	"seaworthy/dialect/aix/slots"
	"seaworthy/dialect/aix/uname"
	"seaworthy/dialect/aix/viosrules"
	"seaworthy/dialect/aix/vnicstat"
	"seaworthy/dialect/linux/arpstat"
	"seaworthy/dialect/linux/bridgefdb"
	"seaworthy/dialect/linux/envfile"
	"seaworthy/dialect/linux/ethtool"
	"seaworthy/dialect/linux/iplink"
	"seaworthy/dialect/linux/nmcli"
	"seaworthy/dialect/linux/ovsvsctl"
	"seaworthy/dialect/linux/procarp"
	"seaworthy/dialect/linux/procbond"
	"seaworthy/dialect/linux/procnet"
	"seaworthy/dialect/linux/procnetdev"
	linuxprotocols "seaworthy/dialect/linux/protocols"
	"seaworthy/dialect/linux/qdisc"
	"seaworthy/dialect/linux/softnet"
	"seaworthy/dialect/linux/sysctl"
	"seaworthy/dialect/linux/sysfs"
	linuxuname "seaworthy/dialect/linux/uname"
	"seaworthy/dialect/linux/virsh"
	"seaworthy/dialect/ping"
)

// Parser reads a text that a command line printed.
type Parser func(text []byte, command string) (dialect.Value, error)

// codecs are the parsers by the names that entries use.
var codecs = map[string]Parser{
	"arp":         reads(arp.Parse),
	"bridge-fdb":  reads(bridgefdb.Parse),
	"entstat":     reads(entstat.Parse),
	"envfile":     reads(envfile.Parse),
	"errpt":       reads(errpt.Parse),
	"etime":       reads(etime.Parse),
	"ethtool":     reads(ethtool.Parse),
	"hmc":         told(func(text []byte, command string) (*hmc.List, error) { return hmc.Read(command, text) }),
	"hostname":    reads(func(text []byte) (*uname.Names, error) { return uname.ParseFlag(text, uname.Node) }),
	"ifconfig":    reads(ifconfig.Parse),
	"instfix":     reads(instfix.Parse),
	"ioslevel":    reads(ioslevel.Parse),
	"ip-link":     reads(iplink.Parse),
	"ip-route":    reads(iplink.ParseRoutes),
	"ip-routes":   reads(iplink.ParseRoutesText),
	"ip-text":     reads(iplink.ParseText),
	"net-tools":   reads(iplink.ParseIfconfig),
	"net-tools-i": reads(iplink.ParseNetstat),
	"linux-stats": reads(linuxprotocols.Parse),
	"linux-uname": reads(linuxuname.Parse),
	"lparstat":    reads(lparstat.Parse),
	"lsattr":      reads(lsattr.Parse),
	"lsattr-R":    reads(lsattr.ParseAllowed),
	"lscfg":       reads(lscfg.Parse),
	"lsseas":      reads(lsseas.Parse),
	"lsdev":       reads(lsdev.Parse),
	"lsmap":       reads(lsmap.Parse),
	"lssrc":       reads(lssrc.Parse),
	"netstat-i":   reads(interfaces.Parse),
	"netstat-m":   reads(mbufs.Parse),
	"netstat-r":   reads(routes.Parse),
	"netstat-s":   reads(protocols.Parse),
	"nmcli":       reads(nmcli.Parse),
	"no":          reads(no.Parse),
	"nstat":       reads(linuxprotocols.ParseNstat),
	"ovs-vsctl":   reads(ovsvsctl.Parse),
	"ping":        reads(ping.Parse),
	"oslevel":     reads(oslevel.Parse),
	"procarp":     reads(procarp.Parse),
	"procbond":    reads(procbond.Parse),
	"procnet":     reads(procnet.Parse),
	"procnetdev":  reads(procnetdev.Parse),
	"prtconf":     reads(prtconf.Parse),
	"qdisc":       reads(qdisc.Parse),
	"rules":       reads(viosrules.Parse),
	"seastat":     reads(seastat.Parse),
	"slots":       reads(slots.Parse),
	"arpstat":     reads(arpstat.Parse),
	"softnet":     reads(softnet.Parse),
	"sysctl":      reads(sysctl.Parse),
	"sysfs":       reads(sysfs.Parse),
	"uname":       reads(uname.Parse),
	"virsh":       reads(virsh.Parse),
	"vnicstat":    reads(vnicstat.Parse),
}

// reads is the parser of a codec that needs no command line.
func reads[T any, P interface {
	*T
	dialect.Value
}](parse func([]byte) (*T, error)) Parser {
	return told[T, P](func(text []byte, _ string) (*T, error) { return parse(text) })
}

// told is the parser of a codec that needs the command line too.
func told[T any, P interface {
	*T
	dialect.Value
}](parse func(text []byte, command string) (*T, error)) Parser {
	return func(text []byte, command string) (dialect.Value, error) {
		v, err := parse(text, command)
		if err != nil {
			return nil, err
		}
		return P(v), nil
	}
}
