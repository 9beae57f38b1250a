package node

import (
	"context"
	"fmt"
)

// unsupported are commands of AIX that a lab cannot answer truthfully, and why. The
// machine's own of that name would describe the machine.
var unsupported = map[string]string{
	"alog":       "nodes boot without a console; errpt has what happened",
	"bootinfo":   "nodes have no kernel and no disks of their own; prtconf has the system, oslevel the level",
	"geninstall": nothingInstalled,
	"installp":   nothingInstalled,
	"ioo":        "nodes have no disks",
	"iostat":     "nodes have no disks; lparstat has their processor time",
	"ipreport":   "tcpdump -r FILE prints what tcpdump -w wrote",
	"iptrace":    "tcpdump -i enN -w FILE writes what passes an interface",
	"kdb":        "nodes have no kernel of their own",
	"lslpp":      nothingInstalled,
	"lsslot":     "lsdev -Cc adapter -F 'name physloc' has the adapters' places, on a VIOS lsdev -slots",
	"lssrad":     "nodes have no memory and no processors of their own: those of the machine are nobody's",
	"lssrc":      servers,
	"lsvg":       "nodes have no disks",
	"lspv":       "nodes have no disks",
	"mpstat":     "nobody counts what a node uses of each processor; lparstat, vmstat and sar have the sum",
	"nmon":       "topas -E has the network, lparstat the processors",
	"nslookup":   "names are those of /etc/hosts; host NAME looks there",
	"odmget":     "lsattr and lsdev read the database",
	"refresh":    servers,
	"route":      "routes are those of the topology's gateways: netstat -rn shows them",
	"smtctl":     "threads are the machine's; a node's virtual processors are those of lparstat -i",
	"startsrc":   servers,
	"stopsrc":    servers,
	"su":         "log in as the other user: seaworthy lab exec -u padmin vios1 -- COMMAND; padmin becomes root with oem_setup_env",
	"svmon":      "nodes have no memory of their own",
	"telnet":     "nodes have neither its server nor its client; iperf, netperf and ftp open connections",
	"traceroute": "subnets are one gateway apart, the Ethernet switch; ping -s SIZE shows what passes",
	"truss":      "tprof has where a program's time goes",
	"vmo":        "nodes have no memory of their own to manage",
}

const (
	nothingInstalled = "nothing is installed on a node, its level is a name: oslevel -s"
	servers          = "a node has no subsystems: servers are started by hand, as netserver, iperf -s -D and ftpd"
	fixedPath        = "a lab's SEAs and EtherChannels are those of its topology"
)

// unsupportedVIOS are commands of ioscli that a lab cannot answer.
var unsupportedVIOS = map[string]string{
	"chtcpip":     "oem_setup_env, then chdev -l enN -a mtu=… or -a netaddr=…",
	"fcstat":      "nodes have no Fibre Channel adapters",
	"lsnetsvc":    servers,
	"lsnports":    "nodes have no Fibre Channel adapters",
	"lspv":        "nodes have no disks",
	"lssp":        "nodes have no disks",
	"lssw":        nothingInstalled,
	"lstcpip":     "netstat -state, -routtable, -cdlistats and lsdev -dev enN -attr have what it lists",
	"lsvg":        "nodes have no disks",
	"mktcpip":     "addresses are those of the topology; oem_setup_env, then chdev -l enN -a netaddr=…",
	"optimizenet": "oem_setup_env, then no -L, no -p -o NAME=VALUE",
	"rmvdev":      fixedPath + "; rmdev -dev takes a VLAN device away",
	"snap":        "seaworthy collect HOST -o DIR saves what an audit needs",
	"startnetsvc": servers,
	"stopnetsvc":  servers,
	"sysstat":     "topas -E has the network, viostat the processors",
	"traceroute":  unsupported["traceroute"],
	"vnicstat":    "a lab has no vNIC servers",
}

// unsupported says why a command is not in a lab.
func (w *Simulator) unsupported(_ context.Context, c *Call, o *Options) error {
	why := unsupported[c.Argv[0]]
	if c.VIOS {
		why = unsupportedVIOS[c.Argv[0]]
	}
	return fmt.Errorf("not in this lab: %s", why)
}
