package linewise

import "seaworthy/internal/parse"

// KernelMessage is a line of a kernel's log, as it was printed.
type KernelMessage struct {
	Text string
	Line int // 1-based
}

// KernelLog is the output of dmesg, or a part of /var/log/messages, kern.log or the log of Open vSwitch. Its lines
// are kept as they are: package assemble knows which of them say something of the network.
type KernelLog struct {
	parse.Report
	messages []KernelMessage
}

// Messages returns the lines of the log, in its order.
func (k *KernelLog) Messages() []KernelMessage { return k.messages }

// logLineShape begins a line of dmesg with or without times, of a syslog, or of Open vSwitch's log.
var logLineShape = parse.Lazy(`^(?:\[ *\d+\.\d+\]|\[ *\d{4,}\]|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:.]+ \d{4}\])(?:\[[^\]\n]*\])? |` +
	`^ibmv(?:nic|eth) [0-9a-f]+(?: \w+)?: |^ ?Linux version \d|^ ?(?:Initializing|Reserving|microcode|CPU0) |` +
	`^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8}|\d{4}-\d\d-\d\dT\S+) \S+ \S+: |^\d{4}-\d\d-\d\dT[\d:.]+Z\|\d+\|`)

var kernelLogOutput = &output[KernelLog]{
	name: "kernel-log",
	reader: func(*KernelLog) line[KernelLog] {
		begun := false
		return func(k *KernelLog, l parse.Line) bool {
			begun = begun || logLineShape.MatchString(l.Text)
			if begun { // lines without a time go on, as those of a trace
				k.messages = append(k.messages, KernelMessage{Text: l.Text, Line: l.Number})
			}
			return begun
		}
	},
}

// ParseKernelLog reads the log of a kernel; parse.ErrNotRecognised if it has no line.
func ParseKernelLog(text []byte) (*KernelLog, error) { return kernelLogOutput.parse(text) }
