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
	"entstat-all":      {3, (*builder).entstat},
	"lsattr-Dl":        {2, (*builder).defaults},
	"oslevel-s":        {2, (*builder).oslevel},
	"ioslevel":         {2, (*builder).ioslevel},
	"entstat-d":        {3, (*builder).entstat},
	"ifconfig-a":       {3, (*builder).ifconfig},
	"netstat-in":       {3, (*builder).netstatIn},
	"netstat-s":        {3, (*builder).netstatS},
}

func rank(id string) int { return readers[id].order }
