package linewise

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
	"seaworthy/internal/test/draw"
)

var update = flag.Bool("update", false, "write golden files")

// sample are texts of one output. The first is read, damaged in every way that texts come damaged, and repeated; all
// are where the fuzzer begins.
type sample struct {
	texts  []string
	corpus []string // real outputs: patterns of files
}

var samples = map[string]sample{
	"arp":           {texts: []string{arpSample, "\x1b[1m? (10.0.0.9) at 0:9:6b:2e:1:7 [ethernet]\r\n", "arp: 0403-006 x\n"}},
	"arpstat":       {texts: []string{arpCacheSample, arpCacheOld}},
	"bridge-fdb":    {texts: []string{fdbSample, "\n" + fdbSample + "\r\n\n"}},
	"envfile":       {texts: []string{envRelease, envLparcfg, "A=\"1\" \r\nB='2'\r\n"}},
	"emgr-l":        {texts: []string{interimFixSample, "There is no efix data on this system.\n"}},
	"errpt":         {texts: []string{errptShort, errptLong}, corpus: []string{"errpt/*.txt"}},
	"etime":         {texts: []string{" 204-21:25:33\n", "00:01\n"}},
	"hostname":      {texts: []string{"lpar1\n", "lpar1.example.com\r\n"}},
	"package-level": {texts: []string{"powerpc-utils-1.3.11-3.el9.ppc64le\n", "powerpc-utils\t1.3.13-1\r\n", "package powerpc-utils is not installed\n"}},
	"lsmcode":       {texts: []string{microcodeSample, microcodeMenu}},
	"lsdev-ddins":   {texts: []string{driverSample}},
	"route-get":     {texts: []string{routeSample}},
	"lslpp-Lc":      {texts: []string{filesetSample, filesetTable, "lslpp: 0504-132  Fileset x.y not installed.\n"}},
	"instfix":       {texts: []string{fixSample, "\x1b[1mAll filesets for IV00001 were found. \r\n", "instfix: 0503-000 x\n"}},
	"ioslevel":      {texts: []string{"3.1.4.10\n", "[1 5 2 1]FP-11.1", "03.1.4.1\n"}},
	"conntrack":     {texts: []string{conntrackSample, "cpu=0 found=1\r\n"}},
	"module":        {texts: []string{moduleSFP, moduleQSFP}},
	"ovs-datapath":  {texts: []string{datapathSample}},
	"packet-filter": {texts: []string{filterSaves, filterList, filterRuleset}},
	"xfrm-stat":     {texts: []string{xfrmSample}},
	"interrupts":    {texts: []string{interruptSample, " 56: 1 2 PCI-MSI 1-edge eth0-rx-0\n"}},
	"kernel-log": {texts: []string{"[    1.500000] eth0: link up\n ---[ end trace ]---\n", "Jan  2 03:04:05 web kernel: eth7: reset\r\n",
		"2024-03-01T08:14:06Z|00237|netdev_linux|WARN|tap1: Dropped packet\n"}},
	"linux-uname":   {texts: []string{linuxUnameSample, "Linux\n"}},
	"lssrc":         {texts: []string{lssrcListing, " x y 1 active\n"}},
	"mtr":           {texts: []string{traceSample}},
	"nmon-net":      {texts: []string{nmonSample}},
	"node-exporter": {texts: []string{nodeSample}},
	"sar-net":       {texts: []string{sarSample}},
	"tcpdump":       {texts: []string{captureSample}},
	"netstat-m":     {texts: []string{mbufsSample}},
	"nmcli":         {texts: []string{nmcliSample, "connection.id:x\r\n", "nmcli tool, version 1.46.0\n"}},
	"oslevel": {texts: []string{"7200-05\n7200-04\n7200-05-03-2148\n", "7200-05-03-2148\n", "7.2.0.0", "Known Service Packs\n---\n7200-05\r\n"},
		corpus: []string{"oslevel/*.txt"}},
	"ping":           {texts: []string{pingLinux, pingAIX("0")}},
	"ss":             {texts: []string{socketSample, heldSample}},
	"netstat-an":     {texts: []string{tcpSocketSample, linuxTCPSocketSample}},
	"processes":      {texts: []string{topSample, psSample, "Name            PID  CPU%  PgSp Owner\nnfsd         548940  98.7   6.1 root\n"}},
	"tcp-states":     {texts: []string{stateCounts, stateSums}},
	"iostat":         {texts: []string{diskBlocks, diskRows}},
	"lspci":          {texts: []string{pciSample}},
	"ip-neigh":       {texts: []string{neighbourSample}},
	"lookup-time":    {texts: []string{lookupSample, ";; Query time: 4004 msec\n"}},
	"entstat-state":  {texts: []string{"    State: LIMBO\nLAN State: Operational\n", "State: PRIMARY\r\n"}},
	"kernel-release": {texts: []string{"4.18.0-553.el8_10.ppc64le\n", "6.1.0-28-amd64\r\n"}},
	"entstat-lines":  {texts: []string{"No Resource Errors: 5\n", "Max Collision Errors: 0      No Resource Errors: 5\r\n"}},
	"mpstat":         {texts: []string{mpstatSample}},
	"vmstat":         {texts: []string{vmstatSample, "procs -----------memory----------\n r  b   swpd   wa st\n 1  2      0   33  0\n"}},
	"procarp":        {texts: []string{procARPSample, "\n" + procARPColumns + "\r\n\n"}},
	"procbond":       {texts: []string{bondSample, "Ethernet Channel Bonding Driver: v3\r\n"}},
	"procnet":        {texts: []string{procNetSample, "Tcp: A\r\nTcp: 1\r\n", "Tcp: A\nTcp: 1 \n\n"}, corpus: []string{"linux/proc_net_netstat/*"}},
	"procnetdev":     {texts: []string{netDevSample, "Inter-|\nx:1\n"}},
	"qperf":          {texts: []string{"tcp_lat:\n    latency  =  28.3495 us\n"}},
	"rules":          {texts: []string{rulesSample, "", "\x1b[1ma:b 1 | 2\n", "a:b c 1 |2\n"}},
	"slots": {texts: []string{slotsSample, "# Slot Description Device(s)\r\nU78CB.001.WZS0001-P1-C2 X Slot \x1b[1ment0\x1b[0m\r\n",
		"# Slot Description Device(s)\n\n          ent2\n"}},
	"resolv-conf":  {texts: []string{resolverSample}},
	"lookup-order": {texts: []string{"# where\nhosts = local4, bind4\n", "passwd: files\nhosts: files dns\n"}},
	"name-servers": {texts: []string{nameServersLinux, nameServersAIX}},
	"pmtu":         {texts: []string{pathMTUSample}},
	"nfsstat":      {texts: []string{nfsSample, nfsLinux}},
	"sockperf":     {texts: []string{sockperfRun}},
	"softnet":      {texts: []string{softnetSample, "00000010" + softnetRest + "\r\n"}, corpus: []string{"linux/proc_softnet_stat/*"}},
	"sysctl":       {texts: []string{sysctlSample}, corpus: []string{"linux/sysctl/*"}},
	"sysfs":        {texts: []string{filesSample, "/a:1\r\n/b:2\r\n", "/a:"}},
	"uname":        {texts: []string{"AIX lpar1 2 7 00C8D2E44C00\n", "7 lpar1", "IBM,02106BDCA\r\n"}},
}

// parseFunctions are the functions that read one output each.
var parseFunctions = map[string]func([]byte) error{
	"arp": errorOf(ParseARP), "arpstat": errorOf(ParseARPCacheStatistics), "bridge-fdb": errorOf(ParseBridgeFDB), "envfile": errorOf(ParseEnvFile),
	"conntrack": errorOf(ParseConntrack), "interrupts": errorOf(ParseInterrupts), "mtr": errorOf(ParseTrace), "nmon-net": errorOf(ParseNmonNetwork),
	"node-exporter": errorOf(ParseNodeMetrics), "sar-net": errorOf(ParseSar), "tcpdump": errorOf(ParseCapture), "ss": errorOf(ParseSockets),
	"tcp-states": errorOf(ParseTCPStates), "iostat": errorOf(ParseDisks), "ip-neigh": errorOf(ParseNeighbours), "lspci": errorOf(ParsePCIDevices),
	"netstat-an": errorOf(ParseTCPSockets), "processes": errorOf(ParseProcesses), "mpstat": errorOf(ParseProcessorLoads),
	"vmstat": errorOf(ParseActivity), "lookup-time": errorOf(ParseLookupTime), "entstat-state": errorOf(ParseSEAState), "entstat-lines": errorOf(ParseAdapterCounters), "kernel-release": errorOf(ParseKernelRelease),
	"errpt": errorOf(ParseErrpt), "etime": errorOf(ParseEtime), "instfix": errorOf(ParseInstfix), "lslpp-Lc": errorOf(ParseFilesets),
	"resolv-conf": errorOf(ParseResolver), "lookup-order": errorOf(ParseLookupOrder), "nfsstat": errorOf(ParseNFSStatistics),
	"name-servers": errorOf(ParseNameServers), "pmtu": errorOf(ParsePathMTUs),
	"lsmcode": errorOf(ParseMicrocode), "lsdev-ddins": errorOf(ParseDrivers), "route-get": errorOf(ParseRouteGet), "emgr-l": errorOf(ParseInterimFixes), "ioslevel": errorOf(ParseIoslevel),
	"kernel-log": errorOf(ParseKernelLog), "linux-uname": errorOf(ParseLinuxUname), "lssrc": errorOf(ParseLssrc), "netstat-m": errorOf(ParseMbufs), "nmcli": errorOf(ParseNmcli),
	"oslevel": errorOf(ParseOslevel), "package-level": errorOf(ParsePackageLevel), "ping": errorOf(ParsePing), "procarp": errorOf(ParseProcARP), "procbond": errorOf(ParseProcBond),
	"procnet": errorOf(ParseProcNet), "procnetdev": errorOf(ParseProcNetDev), "qperf": errorOf(ParseQperf), "rules": errorOf(ParseRulesDiff),
	"slots": errorOf(ParseSlots), "sockperf": errorOf(ParseSockperf), "softnet": errorOf(ParseSoftnet), "sysctl": errorOf(ParseSysctl),
	"sysfs": errorOf(ParseSysfs), "uname": errorOf(ParseUname),
}

func errorOf[T any](read func([]byte) (*T, error)) func([]byte) error {
	return func(text []byte) error {
		_, err := read(text)
		return err
	}
}

// codecOf is an output as the common tests of codecs take it.
func codecOf(o Output) codectest.Codec[parse.Value] {
	return codectest.Codec[parse.Value]{
		Parse: func(text []byte) (*parse.Value, error) {
			v, err := o.Read(text)
			if err != nil {
				return nil, err
			}
			return &v, nil
		},
		Report: func(v *parse.Value) *parse.Report { return (*v).Reading() },
	}
}

// Every output of the table has a name of its own and samples, which are read whole.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Table {
		s := samples[o.Name()]
		if seen[o.Name()] || len(s.texts) == 0 {
			t.Errorf("%s: want a name of its own and a text in samples", o.Name())
			continue
		}
		seen[o.Name()] = true
		if v := codecOf(o).Try(t, o.Name(), s.texts[0], true); v != nil && len((*v).Reading().Unknown) > 0 {
			t.Errorf("%s: not understood: %v", o.Name(), (*v).Reading().Unknown)
		}
		if read := parseFunctions[o.Name()]; read != nil && read([]byte(s.texts[0])) != nil {
			t.Errorf("%s: its function does not read %q", o.Name(), s.texts[0])
		}
	}
}

// What is not an output at all is none of the table's, but for the one that may print nothing.
func TestTableRefuses(t *testing.T) {
	blank := []string{"rules", "errpt"}
	for _, o := range Table {
		for _, text := range []string{"", "\n", "<html>\n", "no such thing here at all\n"} {
			if v, err := o.Read([]byte(text)); err == nil && !(strings.TrimSpace(text) == "" && slices.Contains(blank, o.Name())) {
				t.Errorf("%s: %q is taken: %+v", o.Name(), text, v)
			}
		}
	}
}

func TestTableDamaged(t *testing.T) {
	for _, o := range Table {
		t.Run(o.Name(), func(t *testing.T) { codecOf(o).Damaged(t, samples[o.Name()].texts[0]) })
	}
}

func TestTableFast(t *testing.T) {
	for _, o := range draw.OneIn(t, 4, Table) {
		codecOf(o).Fast(t, samples[o.Name()].texts[0])
	}
}

// The values of real outputs.
func TestTableCorpus(t *testing.T) {
	var golden strings.Builder
	for _, o := range Table {
		if patterns := samples[o.Name()].corpus; patterns != nil {
			golden.WriteString("== " + o.Name() + "\n" + codecOf(o).Sample(t, patterns...))
		}
	}
	codectest.Golden(t, *update, "corpus.golden", []byte(golden.String()))
}

// FuzzRead reads any text as every output: none may panic or report more lines than there are.
func FuzzRead(f *testing.F) {
	for _, o := range Table {
		for _, text := range samples[o.Name()].texts {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, o := range Table {
			v, err := o.Read(text)
			if err != nil {
				continue
			}
			if r := v.Reading(); len(r.Unknown) > r.Lines {
				t.Errorf("%s: %d lines not understood of %d", o.Name(), len(r.Unknown), r.Lines)
			}
		}
	})
}
