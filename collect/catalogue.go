package collect

import (
	"strings"
	"time"

	"seaworthy/catalog"
	"seaworthy/dialect"
)

// Limits by how long a command may take on a large host.
const (
	quick  = 20 * time.Second
	normal = 45 * time.Second
	slow   = 90 * time.Second // entstat of an SEA with many members
)

// Item is one command of the catalogue.
type Item struct {
	ID        string
	Element   string
	Attribute string
	Line      string
	Root      bool // on a VIOS not part of the restricted shell: padmin needs oem_setup_env
	Limit     time.Duration
	Partial   bool // fails where one of several things it asks for is not there; what it printed counts
}

// device is the form of a name that may stand in a command line.
var device = dialect.Lazy(`^[a-z]+[0-9]+$`)

// netdev is the same for Linux. A leading dash would be an option.
var netdev = dialect.Lazy(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$`)

// aixBase is what every AIX is asked; on a VIOS it needs root.
func aixBase() []Item {
	return []Item{
		{ID: UnameA, Line: "uname -a", Root: true, Limit: quick},
		{ID: UnameM, Line: "uname -m", Root: true, Limit: quick},
		{ID: OSLevel, Line: "oslevel -s", Root: true, Limit: slow},
		{ID: LsdevAdapter, Line: "lsdev -Cc adapter", Root: true, Limit: normal},
		{ID: LsdevIf, Line: "lsdev -Cc if", Root: true, Limit: normal},
		{ID: LsattrEl, Element: "sys0", Line: "lsattr -El sys0 -a systemid -a modelname", Root: true, Limit: quick},
		{ID: LsattrEl, Element: "inet0", Line: "lsattr -El inet0", Root: true, Limit: quick},
		{ID: LparstatI, Line: "lparstat -i", Root: true, Limit: normal},
		{ID: IfconfigA, Line: "ifconfig -a", Root: true, Limit: quick},
		{ID: NetstatIn, Line: "netstat -in", Root: true, Limit: normal},
		{ID: NetstatRn, Line: "netstat -rn", Root: true, Limit: normal},
		{ID: NetstatS, Line: "netstat -s", Root: true, Limit: normal},
		{ID: NoA, Line: "no -a", Root: true, Limit: quick},
		{ID: NoL, Line: "no -L", Root: true, Limit: quick},
		// Restricted, so the list leaves it out: whether interfaces' own options count.
		{ID: NoL, Attribute: "use_isno", Line: "no -L use_isno", Root: true, Limit: quick},
		{ID: Errpt, Line: "errpt | head -n 200", Root: true, Limit: normal},
		instfix(),
	}
}

// instfix asks whether the fixes that rules speak of are there. It fails if
// one is not, and says of each all the same.
func instfix() Item {
	names := ""
	if cat, err := catalog.Load(); err == nil { // that it loads is what its own tests hold
		names = strings.Join(cat.Fixes(), " ")
	}
	return Item{ID: InstfixIk, Line: `instfix -ik "` + names + `" 2>&1`, Root: true, Limit: slow, Partial: true}
}

// viosBase is asked of a VIOS in any role.
func viosBase() []Item {
	return []Item{
		{ID: IOSLevel, Line: "ioscli ioslevel", Limit: normal},
		{ID: LsmapNet, Line: "ioscli lsmap -all -net", Limit: slow},
		{ID: RulesDiff, Line: "ioscli rules -o diff -s -d", Limit: slow}, // from 2.2.4
	}
}

// padminBase stands in for aixBase where padmin may not become root.
func padminBase() []Item {
	return []Item{
		{ID: LsdevVIOS, Line: "ioscli lsdev", Limit: slow},
		{ID: LsdevDevAttr, Element: "sys0", Line: "ioscli lsdev -dev sys0 -attr", Limit: normal},
		{ID: NetstatIn, Line: "ioscli netstat -state -num", Limit: normal},
		{ID: NetstatRn, Line: "ioscli netstat -routtable -num", Limit: normal},
	}
}

func lsattrEl(name string) Item {
	return Item{ID: LsattrEl, Element: name, Line: "lsattr -El " + name, Root: true, Limit: quick}
}

// lscfgVl has the location of a device, whose slot is how an HMC knows it, and
// the level of its microcode.
func lscfgVl(name string) Item {
	return Item{ID: LscfgVl, Element: name, Line: "lscfg -vl " + name, Root: true, Limit: quick}
}

func lsattrDl(name string) Item {
	return Item{ID: LsattrDl, Element: name, Line: "lsattr -Dl " + name, Root: true, Limit: quick}
}

// bufferRanges asks what the receive pools of a virtual adapter may be set to.
func bufferRanges(name string) []Item {
	var out []Item
	for _, pool := range []string{"tiny", "small", "medium", "large", "huge"} {
		a := "max_buf_" + pool
		out = append(out, Item{ID: LsattrRl, Element: name, Attribute: a, Line: "lsattr -Rl " + name + " -a " + a, Root: true, Limit: quick})
	}
	return out
}

func entstatD(name string) Item {
	return Item{ID: EntstatD, Element: name, Line: "entstat -d " + name, Root: true, Limit: slow}
}

func lsdevDevAttr(name string) Item {
	return Item{ID: LsdevDevAttr, Element: name, Line: "ioscli lsdev -dev " + name + " -attr", Limit: normal}
}

func entstatAll(name string) Item {
	return Item{ID: EntstatAll, Element: name, Line: "ioscli entstat -all " + name, Limit: slow}
}

// lsmapVNIC lists the vNIC servers of a VIOS and their clients.
func lsmapVNIC() Item {
	return Item{ID: Lsmap, Attribute: "vnic", Line: "ioscli lsmap -all -vnic", Limit: slow}
}

// vnicstatB says which of a client's vNIC servers is the active one.
func vnicstatB(name string) Item {
	return Item{ID: Vnicstat, Element: name, Line: "vnicstat -b " + name, Root: true, Limit: normal}
}

// seastatD names the clients of an SEA that accounts for them.
func seastatD(name string) Item {
	return Item{ID: Seastat, Element: name, Line: "ioscli seastat -d " + name, Limit: normal}
}
