package assemble

// reader understands one kind of output. Lower orders are read first: devices,
// then what the ODM says of them, then what runs.
type reader struct {
	order int
	with  func(*builder, Output) error
	blank bool // printing nothing is an answer, too
}

// readers by the catalogued name of the command.
var readers = map[string]reader{
	"lsdev-Cc-adapter": {0, (*builder).devices, false},
	"lsdev-Cc-if":      {0, (*builder).devices, false},
	"lsattr-El":        {1, (*builder).attributes, false},
	"lsdev-dev-attr":   {1, (*builder).attributes, false},
	"lsdev":            {0, (*builder).devices, false},
	"lsattr-Rl":        {2, (*builder).allowed, false},
	"no-a":             {2, (*builder).options, false},
	"no-L":             {3, (*builder).options, false},
	"lsmap-all-net":    {2, (*builder).lsmap, false},
	"lsmap":            {2, (*builder).lsmap, false}, // -all -vnic among others
	"lsdev-slots":      {1, (*builder).slots, false},
	"lscfg":            {1, (*builder).lscfg, false},
	"vnicstat":         {3, (*builder).vnicstat, false},
	"seastat":          {4, (*builder).seastat, false},
	"entstat-all":      {3, (*builder).entstat, false},
	"lsattr-Dl":        {2, (*builder).defaults, false},
	"oslevel-s":        {2, (*builder).oslevel, false},
	"ioslevel":         {2, (*builder).ioslevel, false},
	"no-o":             {3, (*builder).options, false},
	"entstat-d":        {3, (*builder).entstat, false},
	"netstat-v":        {2, (*builder).entstat, false}, // imported: every adapter in one text; entstat of one says more
	"ifconfig-a":       {3, (*builder).ifconfig, false},
	"netstat-in":       {3, (*builder).netstatIn, false},
	"netstat-s":        {3, (*builder).netstatS, false},
	"uname-a":          {3, (*builder).uname, false}, // oslevel says it better and comes first
	"lparstat-i":       {2, (*builder).lparstat, false},
	"prtconf":          {3, (*builder).prtconf, false},
	"netstat-rn":       {3, (*builder).netstatRn, false},
	"lparstat":         {3, (*builder).load, false},
	"rules-diff":       {3, (*builder).rulesDiff, true},
	"instfix-ik":       {3, (*builder).fixes, false},

	// Linux. What ip and ethtool say comes last: it wins over sysfs.
	"os-release":       {0, (*builder).osRelease, false},
	"ip-link":          {0, (*builder).ipLink, false},
	"ip-addr":          {1, (*builder).ipLink, false},
	"ip-addr-text":     {1, (*builder).ipText, false},
	"ip-route":         {1, (*builder).ipRoute, false},
	"sys-class-net":    {2, (*builder).sysNet, false},
	"ethtool-i":        {3, (*builder).ethtool, false},
	"ethtool":          {4, (*builder).ethtool, false},
	"ethtool-k":        {4, (*builder).ethtool, false},
	"ethtool-S":        {4, (*builder).ethtool, false},
	"ethtool-g":        {4, (*builder).ethtool, false},
	"ethtool-l":        {4, (*builder).ethtool, false},
	"ethtool-c":        {4, (*builder).ethtool, false},
	"ethtool-a":        {4, (*builder).ethtool, false},
	"sysctl":           {2, (*builder).sysctl, false},
	"proc-sys-net":     {2, (*builder).procSys, false},
	"proc-net-snmp":    {2, (*builder).procNet, false},
	"proc-net-netstat": {2, (*builder).procNet, false},
	"lparcfg":          {2, (*builder).lparcfg, false},
}

func rank(id string) int { return readers[id].order }
