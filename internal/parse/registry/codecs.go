package registry

import (
	"maps"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/entstat"
	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/internal/parse/aix/ifconfig"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/parse/aix/lsdev"
	"seaworthy/internal/parse/aix/lsmap"
	"seaworthy/internal/parse/aix/lsseas"
	"seaworthy/internal/parse/aix/netstat/interfaces"
	"seaworthy/internal/parse/aix/netstat/protocols"
	"seaworthy/internal/parse/aix/netstat/routes"
	"seaworthy/internal/parse/aix/no"
	"seaworthy/internal/parse/aix/prtconf"
	"seaworthy/internal/parse/aix/seastat"
	"seaworthy/internal/parse/aix/vnicstat"
	"seaworthy/internal/parse/linewise"
	"seaworthy/internal/parse/linux/ethtool"
	"seaworthy/internal/parse/linux/iplink"
	"seaworthy/internal/parse/linux/ovsvsctl"
	linuxprotocols "seaworthy/internal/parse/linux/protocols"
	"seaworthy/internal/parse/linux/qdisc"
	"seaworthy/internal/parse/linux/virsh"
	"seaworthy/internal/parse/load/netperf"
	"seaworthy/internal/parse/load/saved"
)

// Parser reads a text that a command line printed.
type Parser func(text []byte, command string) (parse.Value, error)

// codecs are the parsers by the names that entries use: those that have a package of their own, and those of the
// table in linewise.
var codecs = func() map[string]Parser {
	all := map[string]Parser{}
	for _, o := range linewise.Table {
		all[o.Name()] = func(text []byte, _ string) (parse.Value, error) { return o.Read(text) }
	}
	maps.Copy(all, packages)
	return all
}()

var packages = map[string]Parser{
	"entstat":     textParser(entstat.Parse),
	"ethtool":     textParser(ethtool.Parse),
	"hmc":         commandParser(func(text []byte, command string) (*hmc.List, error) { return hmc.Read(command, text) }),
	"ifconfig":    textParser(ifconfig.Parse),
	"iperf":       textParser(saved.Parse),
	"ip-brief":    textParser(iplink.ParseBrief),
	"ip-link":     textParser(iplink.Parse),
	"ip-route":    textParser(iplink.ParseRoutes),
	"ip-routes":   textParser(iplink.ParseRoutesText),
	"ip-text":     textParser(iplink.ParseText),
	"net-tools":   textParser(iplink.ParseIfconfig),
	"net-tools-i": textParser(iplink.ParseNetstat),
	"linux-stats": textParser(linuxprotocols.Parse),
	"lparstat":    textParser(lparstat.Parse),
	"lsattr":      textParser(lsattr.Parse),
	"lsattr-R":    textParser(lsattr.ParseAllowed),
	"lscfg":       textParser(lscfg.Parse),
	"lsseas":      textParser(lsseas.Parse),
	"lsdev":       textParser(lsdev.Parse),
	"lsmap":       textParser(lsmap.Parse),
	"netperf":     textParser(netperf.Parse),
	"netstat-i":   textParser(interfaces.Parse),
	"netstat-r":   textParser(routes.Parse),
	"netstat-s":   textParser(protocols.Parse),
	"no":          textParser(no.Parse),
	"nstat":       textParser(linuxprotocols.ParseNstat),
	"ovs-vsctl":   textParser(ovsvsctl.Parse),
	"prtconf":     textParser(prtconf.Parse),
	"qdisc":       textParser(qdisc.Parse),
	"seastat":     textParser(seastat.Parse),
	"virsh":       textParser(virsh.Parse),
	"vnicstat":    textParser(vnicstat.Parse),
}

// textParser is the parser of a codec that needs no command line.
func textParser[T any, P interface {
	*T
	parse.Value
}](read func([]byte) (*T, error)) Parser {
	return commandParser[T, P](func(text []byte, _ string) (*T, error) { return read(text) })
}

// commandParser is the parser of a codec that needs the command line too.
func commandParser[T any, P interface {
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
