package registry

import (
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/arp"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/parse/aix/errpt"
	"seaworthy/internal/parse/aix/etime"
	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/internal/parse/aix/instfix"
	"seaworthy/internal/parse/aix/ioslevel"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/lsseas"
	"seaworthy/internal/parse/aix/lssrc"
	"seaworthy/internal/parse/aix/netstat/interfaces"
	"seaworthy/internal/parse/aix/netstat/mbufs"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/internal/parse/aix/oslevel"
	"seaworthy/internal/parse/aix/prtconf"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/internal/parse/aix/slots"
	"seaworthy/internal/parse/aix/uname"
	"seaworthy/internal/parse/aix/viosrules"
	"seaworthy/internal/parse/aix/vnicstat"
	"seaworthy/internal/parse/linux/arpstat"
	"seaworthy/internal/parse/linux/bridgefdb"
	"seaworthy/internal/parse/linux/envfile"
	"seaworthy/internal/parse/linux/ethtool"
	"seaworthy/internal/parse/linux/iplink"
	"seaworthy/internal/parse/linux/nmcli"
	"seaworthy/internal/parse/linux/ovsvsctl"
	"seaworthy/internal/parse/linux/procarp"
	"seaworthy/internal/parse/linux/procbond"
	"seaworthy/internal/parse/linux/procnet"
	"seaworthy/internal/parse/linux/procnetdev"
	linuxprotocols "seaworthy/internal/parse/linux/protocols"
	"seaworthy/internal/parse/linux/qdisc"
	"seaworthy/internal/parse/linux/softnet"
	"seaworthy/internal/parse/linux/sysctl"
	"seaworthy/internal/parse/linux/sysfs"
	linuxuname "seaworthy/internal/parse/linux/uname"
	"seaworthy/internal/parse/linux/virsh"
	"seaworthy/internal/parse/ping"
)

// Parser reads a text that a command line printed.
type Parser func(text []byte, command string) (parse.Value, error)

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
	parse.Value
}](read func([]byte) (*T, error)) Parser {
	return told[T, P](func(text []byte, _ string) (*T, error) { return read(text) })
}

// told is the parser of a codec that needs the command line too.
func told[T any, P interface {
	*T
	parse.Value
}](read func(text []byte, command string) (*T, error)) Parser {
	return func(text []byte, command string) (parse.Value, error) {
		v, err := read(text, command)
		if err != nil {
			return nil, err
		}
		return P(v), nil
	}
}
