package collect

// IDs of the catalogued commands, as they stand in Record.ID. Those of AIX are
// also used on a VIOS.
const (
	UnameA         = "uname-a"
	UnameM         = "uname-m"
	OSLevel        = "oslevel-s"
	LsdevAdapter   = "lsdev-Cc-adapter"
	LsdevIf        = "lsdev-Cc-if"
	LparstatI      = "lparstat-i"
	IfconfigA      = "ifconfig-a"
	NetstatIn      = "netstat-in"
	NetstatRn      = "netstat-rn"
	NetstatS       = "netstat-s"
	NoA            = "no-a"
	NoL            = "no-L"
	LsattrEl       = "lsattr-El" // element: entN, enN, sys0, inet0
	LsattrDl       = "lsattr-Dl" // element: entN, enN
	LsattrRl       = "lsattr-Rl" // element: entN; Record.Attribute says which attribute
	EntstatD       = "entstat-d" // element: entN; of an SEA or EtherChannel with all its members
	Errpt          = "errpt"
	IOSLevel       = "ioslevel"
	LsmapNet       = "lsmap-all-net"
	Lsmap          = "lsmap"          // other lists than that of virtual Ethernet
	Vnicstat       = "vnicstat"       // element: vnicserverN
	Seastat        = "seastat"        // element: the SEA
	LsdevVIOS      = "lsdev"          // padmin without root: ioscli lsdev
	LsdevDevAttr   = "lsdev-dev-attr" // padmin without root; element: entN, enN, sys0
	EntstatAll     = "entstat-all"    // padmin without root; element: entN
	RulesDiff      = "rules-diff"     // VIOS: settings that differ from its rules
	InstfixIk      = "instfix-ik"     // the fixes that rules ask for
	LscfgVl        = "lscfg"          // element: entN; vital product data, location
	IPLink         = "ip-link"        // Linux, JSON with details
	IPAddr         = "ip-addr"
	IPAddrText     = "ip-addr-text" // in place of both, where ip prints no JSON
	IPRoute        = "ip-route"
	Ethtool        = "ethtool" // element: netdev; speed, duplex, link
	EthtoolK       = "ethtool-k"
	EthtoolI       = "ethtool-i"
	EthtoolS       = "ethtool-S"
	EthtoolG       = "ethtool-g"
	EthtoolL       = "ethtool-l"
	EthtoolC       = "ethtool-c"
	EthtoolA       = "ethtool-a"
	SysNet         = "sys-class-net" // element: netdev
	SysNetList     = "sys-class-net-list"
	Sysctl         = "sysctl"
	ProcSysNet     = "proc-sys-net" // in place of sysctl
	ProcNetSNMP    = "proc-net-snmp"
	ProcNetNetstat = "proc-net-netstat"
	OSRelease      = "os-release"
	CPUInfo        = "cpuinfo"
	Lparcfg        = "lparcfg" // Linux on Power
)
