package assemble

import (
	"cmp"
	"strconv"
	"strings"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lparstat"
	"seaworthy/internal/parse/aix/lsattr"
	"seaworthy/internal/parse/aix/prtconf"
	"seaworthy/internal/parse/linewise"
)

// partitionFeed has the partition and the managed system that a host is on.
type partitionFeed struct{ *hostBuilder }

var partitionRows = []row{
	{"uname-r", feeds(4, partitionFeed.unameRelease)},
	{"uname-a", feedsText(3, partitionFeed.uname)}, // oslevel says it better and comes first
	{"lparstat-i", feeds(2, partitionFeed.lparstat)},
	{"prtconf", feeds(3, partitionFeed.prtconf)},
}

// lparstat reads lparstat -i: who the partition is and what CPU it may use.
func (b partitionFeed) lparstat(o Output, l *lparstat.Output) {
	if len(l.Fields) == 0 {
		b.gap(o.Command, "no line of the partition's configuration in what it printed")
		return
	}
	p := &b.host.Partition
	for label, to := range map[string]*string{"Partition Name": &p.Name, "Type": &p.Type, "Mode": &p.Mode} {
		if v, ok := l.Text(label); ok {
			*to = v
		}
	}
	integer(l, "Partition Number", &p.Number)
	integer(l, "Online Virtual CPUs", &p.VirtualCPUs)
	integer(l, "Variable Capacity Weight", &p.Weight)
	if n, ok := l.Float("Entitled Capacity"); ok {
		p.Entitled = &n
	}
}

func integer(l *lparstat.Output, label string, to **int) {
	if n, ok := l.Int(label); ok {
		*to = &n
	}
}

// uname has the kernel's release on Linux. On AIX it says nothing that another
// command does not say better: its level lacks the technology level, and its
// machine id is not the managed system's serial number.
func (b partitionFeed) uname(o Output) error {
	if b.host.Platform != model.Linux {
		n, err := linewise.ParseUnameFlag(o.Text, linewise.UnameAll)
		if err == nil && n.Flag == "" {
			return parse.ErrNotRecognised
		}
		return err
	}
	n, err := linewise.ParseLinuxUname(o.Text)
	if err != nil {
		return err
	}
	b.host.Level, b.host.Build = n.Release, n.Build
	return nil
}

// unameRelease has the kernel's release alone.
func (b partitionFeed) unameRelease(_ Output, k *linewise.KernelRelease) {
	if b.host.Platform == model.Linux {
		b.host.Level = cmp.Or(b.host.Level, k.Release)
	}
}

// prtconf says the managed system and the partition in one place.
func (b partitionFeed) prtconf(o Output, c *prtconf.Config) {
	if len(c.Items) == 0 {
		b.gap(o.Command, "no line of the system's configuration in what it printed")
	}
	if machine, serial, ok := strings.Cut(c.Machine(), "*"); ok {
		b.managed(o, machine, serial)
	}
	if n, name, ok := c.LPAR(); ok && n > 0 {
		if b.host.Partition.Number == nil {
			b.host.Partition.Number = &n
		}
		if b.host.Partition.Name == "" {
			b.host.Partition.Name = name
		}
	}
	if v, ok := c.Get("", clockSpeed); ok {
		if mhz, err := strconv.ParseFloat(strings.TrimSuffix(v, " MHz"), 64); err == nil && mhz > 0 && mhz < 1e5 {
			b.figure(model.ClockMHz, mhz, o.says(clockSpeed+": "+v))
		}
	}
}

const clockSpeed = "Processor Clock Speed"

// system takes the managed system's identity from sys0, so that an LPAR and
// the VIOS beside it can be joined.
func (b partitionFeed) system(o Output, l *lsattr.Listing) {
	machine, ok1 := l.Value("modelname") // IBM,9119-MHE
	id, ok2 := l.Value("systemid")       // IBM,02219999X
	if ok1 && ok2 {
		b.managed(o, machine, id)
	}
}

var (
	modelForm  = parse.Lazy(`^[0-9A-Z]{4}-[0-9A-Z]{2,4}$`)
	serialForm = parse.Lazy(`^(?:[0-9]{2})?([0-9A-Z]{7})$`)
)

func trimVendor(s string) string {
	if _, rest, ok := strings.Cut(s, ","); ok {
		s = rest
	}
	return strings.TrimSpace(s)
}
