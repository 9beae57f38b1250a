package linewise

import (
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
)

// ProcessList is a table of processes with their share of a processor, as ps aux, top -b and topas print it.
type ProcessList struct {
	parse.Report
	Processes []*Process `json:"processes"`
}

// Process is a row.
type Process struct {
	Name string  `json:"name"` // its command, without the path
	CPU  float64 `json:"cpu"`  // percent, as printed
	Line int     `json:"-"`    // 1-based
}

// processSummary stands above the table of top.
var processSummary = parse.Lazy(`^\s*(?:top - |Tasks:|Threads:|%?Cpu|(?:[KMGT]iB )?(?:Mem|Swap)\b)`)

// monthName begins a time of start that takes two columns: Nov 02.
var monthName = parse.Lazy(`^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$`)

var processesOutput = &output[ProcessList]{
	name: "processes", reader: readProcesses, ignored: processSummary,
	recognised: func(p *ProcessList) bool { return len(p.Processes) > 0 },
}

// ParseProcesses reads a table; parse.ErrNotRecognised if no row is below a heading with a share of a processor.
func ParseProcesses(text []byte) (*ProcessList, error) { return processesOutput.parse(text) }

// readProcesses reads rows by the columns of the heading above them.
func readProcesses(*ProcessList) line[ProcessList] {
	var columns []string
	return func(p *ProcessList, l parse.Line) bool {
		f := strings.Fields(l.Text)
		share := slices.IndexFunc(f, func(c string) bool { return c == "%CPU" || c == "CPU%" })
		if share >= 0 && slices.Contains(f, "PID") {
			columns = f
			return true
		}
		x := readProcess(columns, f)
		if x == nil {
			return false
		}
		x.Line = l.Number
		p.Processes = append(p.Processes, x)
		return true
	}
}

// readProcess reads a row; nil if it does not fit the columns.
func readProcess(columns, f []string) *Process {
	share := slices.IndexFunc(columns, func(c string) bool { return c == "%CPU" || c == "CPU%" })
	name := slices.IndexFunc(columns, func(c string) bool {
		return slices.Contains([]string{"COMMAND", "Command", "CMD", "Name", "NAME"}, c)
	})
	if share < 0 || name < 0 || len(f) < len(columns) {
		return nil
	}
	start := slices.IndexFunc(columns, func(c string) bool { return c == "STIME" || c == "START" })
	if start >= 0 && monthName.MatchString(f[start]) {
		name++
	}
	percent, err := strconv.ParseFloat(strings.Replace(f[share], ",", ".", 1), 64)
	if err != nil || percent < 0 || name >= len(f) {
		return nil
	}
	command := strings.Trim(f[name], "[]:")
	return &Process{Name: command[strings.LastIndexByte(command, '/')+1:], CPU: percent}
}

// ProcessorLoads is mpstat -P ALL of Linux: what each CPU does with its time.
type ProcessorLoads struct {
	parse.Report
	Loads []*ProcessorLoad `json:"loads"`
}

// ProcessorLoad is a row.
type ProcessorLoad struct {
	CPU  string  `json:"cpu"`  // its number; all: their mean
	Soft float64 `json:"soft"` // percent of its time in software interrupts, in which packets are received
	Line int     `json:"-"`    // 1-based
}

var processorSummary = parse.Lazy(`^Linux \S+ \(.*CPU\)`)

var processorsOutput = &output[ProcessorLoads]{
	name: "mpstat", reader: readProcessors, ignored: processorSummary,
	recognised: func(p *ProcessorLoads) bool { return len(p.Loads) > 0 },
}

// ParseProcessorLoads reads a table; parse.ErrNotRecognised if no row is below a heading with %soft.
func ParseProcessorLoads(text []byte) (*ProcessorLoads, error) { return processorsOutput.parse(text) }

// readProcessors reads rows by the heading above them. Both have the same number of columns, with the time as the first.
func readProcessors(*ProcessorLoads) line[ProcessorLoads] {
	var columns []string
	others := 0 // columns of a table that is not of processors
	return func(p *ProcessorLoads, l parse.Line) bool {
		f := strings.Fields(l.Text)
		if slices.Contains(f, "CPU") && slices.Contains(f, "%soft") {
			columns, others = f, 0
			return true
		}
		if slices.Contains(f, "NODE") || slices.Contains(f, "CPU") && strings.HasSuffix(f[len(f)-1], "/s") {
			others = len(f)
			return true
		}
		if others > 0 { // nodes and interrupts of mpstat -A, of which nothing is read
			short := others - len(f) // AM or PM may stand beside the time
			return short >= -1 && short <= 1
		}
		// The time of a row may have AM or PM beside it, that of the mean has not: counted from the end all fit.
		cpu, soft := slices.Index(columns, "CPU"), slices.Index(columns, "%soft")
		cpu += len(f) - len(columns)
		soft += len(f) - len(columns)
		if len(columns) == 0 || cpu < 0 || soft >= len(f) {
			return false
		}
		percent, err := strconv.ParseFloat(strings.Replace(f[soft], ",", ".", 1), 64)
		if err != nil {
			return false
		}
		p.Loads = append(p.Loads, &ProcessorLoad{CPU: f[cpu], Soft: percent, Line: l.Number})
		return true
	}
}
