package recognise

import (
	"slices"

	"seaworthy/dialect"
)

// kinds are all kinds of output, those with a codec first. The order decides
// only between readings that understand equally much.
var kinds = slices.Concat(statisticsKinds, aixKinds, smallKinds, hmcKinds, linuxKinds, plainKinds)

func mark(expression string) *dialect.Pattern { return dialect.Lazy(`(?m)` + expression) }

// PerDevice says that a kind's output is about one device.
func PerDevice(id string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return k.id == id && k.device })
}

// of gives a codec's report, or its error.
func of[T any](v *T, err error, report func(*T) *dialect.Report) (*dialect.Report, error) {
	if err != nil {
		return nil, err
	}
	return report(v), nil
}

// plainKinds are kinds that no codec reads: their marks must be on most lines.
var plainKinds = []kind{
	{name: "mpstat", id: "mpstat", family: AIX, head: mark(`^(?:System configuration: lcpu=|cpu +(?:min|cs) )`), mark: mark(`^(?:System configuration: lcpu=|cpu +(?:min|cs) |[ \t]*(?:\d+|U|ALL)(?:[ \t]+(?:[\d.]+|-)){8,}[ \t]*$|-{10,}$)`)},
	{name: "vmstat", id: "vmstat", family: AIX, mark: mark(`^(?:System configuration: lcpu=\S+ mem=|kthr +memory| r +b +avm| *\d+ (?:total address trans|page ins|page outs|paging space|zero filled|executable filled|pages |revolutions|backtracks|free frame|extend XPT|pending I/O|start I/Os|iodones|cpu context|device interrupt|software interrupt|decrementer|mpc-|phantom|traps|syscalls|memory pages|lruable|free pages|memory pools|pinned|percentage|file pages|compressed|client pages|remote pageouts|numperm|numclient|maxperm|maxclient|minperm|large |psmd|fsbuf|filesystem|pbufs|vmm|address|hard|soft|lock).*$|[\d. ]+(?:total|percentage|pages?|pins?|filesystem|paging|client|external|pending|file|large|memory|disk|compressed)\b.*$)`)},
	{name: "lssrad", id: "lssrad", family: AIX, head: mark(`^REF1 +SRAD`), mark: mark(`^(?:REF1 +SRAD|\d+$|[ \t]+\d+ +\d+\.\d+ )`), least: 0.9},
	{name: "lsseas", id: "lsseas", family: VIOS, head: mark(`^running lssea on `), mark: mark(`.`), least: 0.9},
	{name: "lsmcode", id: "lsmcode", family: AIX, mark: mark(`^(?:sys\d+!system:\S+|[a-z]+\d+!\S+\.\S+)`), least: 0.8},
	{name: "fcstat", id: "fcstat", family: AIX, mark: mark(`^[ \t]*(?:FIBRE CHANNEL STATISTICS REPORT|[A-Z][\w /()#.-]*:[ \t]*\S.*|[A-Z][\w /()-]*(?:Statistics|Counters|Information|Requests|Resource)[\w ]*:?[ \t]*(?:[A-Z][\w ]+:?[ \t]*)?|[A-Za-z][\w /-]+:[ \t]*-?\d+.*)[ \t]*$`), least: 2},
}
