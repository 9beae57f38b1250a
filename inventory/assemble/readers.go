package assemble

// reader understands one kind of output. Lower orders are read first: devices,
// then what the ODM says of them, then what runs.
type reader struct {
	order int
	with  func(*builder, Output) error
}

// readers by the catalogued name of the command.
var readers = map[string]reader{
	"lsdev-Cc-adapter": {0, (*builder).devices},
	"lsdev-Cc-if":      {0, (*builder).devices},
	"lsattr-El":        {1, (*builder).attributes},
	"lsdev-dev-attr":   {1, (*builder).attributes},
	"lsdev":            {0, (*builder).devices},
	"lsattr-Rl":        {2, (*builder).allowed},
	"no-a":             {2, (*builder).options},
	"no-L":             {3, (*builder).options},
	"lsmap-all-net":    {2, (*builder).lsmap},
	"lsmap":            {2, (*builder).lsmap}, // -all -vnic among others
	"lsdev-slots":      {1, (*builder).slots},
	"lscfg":            {1, (*builder).lscfg},
	"vnicstat":         {3, (*builder).vnicstat},
	"seastat":          {4, (*builder).seastat},
	"entstat-all":      {3, (*builder).entstat},
	"lsattr-Dl":        {2, (*builder).defaults},
	"oslevel-s":        {2, (*builder).oslevel},
	"oslevel-r":        {2, (*builder).oslevel},
	"ioslevel":         {2, (*builder).ioslevel},
	"no-o":             {3, (*builder).options},
	"entstat-d":        {3, (*builder).entstat},
	"netstat-v":        {2, (*builder).entstat}, // imported: every adapter in one text; entstat of one says more
	"ifconfig-a":       {3, (*builder).ifconfig},
	"netstat-in":       {3, (*builder).netstatIn},
	"netstat-s":        {3, (*builder).netstatS},
	"uname-a":          {3, (*builder).uname}, // oslevel says it better and comes first
	"lparstat-i":       {2, (*builder).lparstat},
	"prtconf":          {3, (*builder).prtconf},
	"netstat-rn":       {3, (*builder).netstatRn},
	"lparstat":         {3, (*builder).load},
	"rules-diff":       {3, (*builder).rulesDiff},
	"instfix-ik":       {3, (*builder).fixes},

	// Linux. What ip and ethtool say comes last: it wins over sysfs.
	"os-release":       {0, (*builder).osRelease},
	"ip-link":          {0, (*builder).ipLink},
	"ip-addr":          {1, (*builder).ipLink},
	"ip-addr-text":     {1, (*builder).ipText},
	"ip-route":         {1, (*builder).ipRoute},
	"sys-class-net":    {2, (*builder).sysNet},
	"ethtool-i":        {3, (*builder).ethtool},
	"ethtool":          {4, (*builder).ethtool},
	"ethtool-k":        {4, (*builder).ethtool},
	"ethtool-S":        {4, (*builder).ethtool},
	"ethtool-g":        {4, (*builder).ethtool},
	"ethtool-l":        {4, (*builder).ethtool},
	"ethtool-c":        {4, (*builder).ethtool},
	"ethtool-a":        {4, (*builder).ethtool},
	"sysctl":           {2, (*builder).sysctl},
	"proc-sys-net":     {2, (*builder).procSys},
	"proc-net-snmp":    {2, (*builder).procNet},
	"proc-net-netstat": {2, (*builder).procNet},
	"lparcfg":          {2, (*builder).lparcfg},
}

// answersBlank says that a command that prints nothing has answered.
func answersBlank(id string) bool { return id == "rules-diff" }

func rank(id string) int { return readers[id].order }
