package prtconf

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/dialect/aix/printout"
)

// Item is a labelled value. Labels differ by locale: those below are English.
type Item struct {
	Section string `json:"section,omitempty"` // empty: the machine; or "Network Information"
	Label   string `json:"label"`
	Value   string `json:"value"`
	Line    int    `json:"-"` // 1-based, 0 if not read from a text

	place *placing
}

type placing struct {
	lead, between, tail string
	paint               printout.Paint
}

// Config is one output.
type Config struct {
	dialect.Report
	Items     []Item      `json:"items,omitempty"`
	Installed *lscfg.List `json:"installed,omitempty"` // nil: not printed

	layout printout.Layout
}

// New makes a configuration to print.
func New(installed *lscfg.List, items ...Item) *Config {
	return &Config{Items: items, Installed: installed}
}

// Get finds a value by section and label; false if it is not printed.
func (c *Config) Get(section, label string) (string, bool) {
	for _, i := range c.Items {
		if i.Section == section && strings.EqualFold(i.Label, label) {
			return i.Value, true
		}
	}
	return "", false
}

// Machine is the managed system as type-model*serial (9009-22A*7800000); empty
// if the text does not say both.
func (c *Config) Machine() string {
	model, _ := c.Get("", "System Model")
	serial, _ := c.Get("", "Machine Serial Number")
	model = strings.TrimPrefix(model, "IBM,")
	if !machineModel.MatchString(model) || !machineSerial.MatchString(serial) {
		return ""
	}
	return model + "*" + serial
}

// LPAR is the partition's number and name; false if the text does not say them.
func (c *Config) LPAR() (number int, name string, ok bool) {
	v, _ := c.Get("", "LPAR Info")
	first, name, _ := strings.Cut(v, " ")
	number, err := strconv.Atoi(first)
	return number, name, err == nil && name != ""
}

// Processors is the number of processors the partition sees; false if unknown.
func (c *Config) Processors() (int, bool) {
	v, _ := c.Get("", "Number Of Processors")
	n, err := strconv.Atoi(v)
	return n, err == nil
}

// MemoryMB is the memory size in MB; false if unknown.
func (c *Config) MemoryMB() (int, bool) {
	v, _ := c.Get("", "Memory Size")
	n, err := strconv.Atoi(strings.TrimSuffix(v, " MB"))
	return n, err == nil && strings.HasSuffix(v, " MB")
}

var (
	machineModel  = dialect.Lazy(`^[0-9A-Z]{4}-[0-9A-Z]{3}$`)
	machineSerial = dialect.Lazy(`^[0-9A-Z]{7}$`)
	sectionShape  = dialect.Lazy(`^\s*(\S.* Information|Information\S* .*)\s*$`)
	volumeGroups  = dialect.Lazy(`^\s*(?:Volume Groups Information\s*$|.{0,2}={20,})`)
	installedHead = dialect.Lazy(`^(?:INSTALLED RESOURCE LIST|[+*-] [a-z]\S*[ \t])`)
	interfaceLine = dialect.Lazy(`^\s*[a-z]{2,4}\d+\s*$`)
)

// labels that only prtconf prints, to tell its output from other texts.
var labels = map[string]bool{
	"System Model": true, "Machine Serial Number": true, "Processor Type": true,
	"Number Of Processors": true, "Kernel Type": true, "LPAR Info": true,
	"Memory Size": true, "Platform Firmware level": true, "Console Login": true,
}

// Parse reads what prtconf prints; dialect.ErrNotRecognised if it holds no
// label of prtconf, no list of resources and no message.
func Parse(text []byte) (*Config, error) {
	c := &Config{}
	head, rest := cut(text)
	s, err := printout.Open("prtconf", head, &c.Report)
	if err != nil {
		return nil, err
	}
	if rest != nil {
		if err := c.readInstalled(rest); err != nil {
			return nil, err
		}
	}
	c.layout = s.Layout()
	known := s.Messages
	section, volumes := "", false
	for i, l := range s.Lines {
		switch {
		case s.Message[i] || s.Blank(i):
			s.Keep(&c.layout, i)
		case (strings.Contains(l, "Volume Groups") || strings.Contains(l, "====")) && volumeGroups.MatchString(l):
			volumes = true
			s.KeepKnown(&c.layout, i)
		case strings.Contains(l, "Information") && sectionShape.MatchString(l):
			section, volumes = strings.TrimSpace(l), false
			s.KeepKnown(&c.layout, i)
		case volumes, strings.IndexByte(l, ':') < 0 && interfaceLine.MatchString(l):
			s.KeepKnown(&c.layout, i)
		default:
			item, ok := cutItem(l)
			if !ok {
				s.Keep(&c.layout, i)
				continue
			}
			if section == "" && labels[item.Label] {
				known++
			}
			item.Section, item.Line, item.place.paint = section, i+1, s.Paint[i]
			c.Items = append(c.Items, item)
			c.layout.Row()
		}
	}
	if known == 0 && c.Installed == nil {
		return nil, fmt.Errorf("prtconf: %w", dialect.ErrNotRecognised)
	}
	return c, nil
}

// cutItem cuts "Label: value".
func cutItem(l string) (Item, bool) {
	const space = " \t\n\f\r"
	body := strings.TrimLeft(l, " \t")
	at := strings.IndexAny(body, ":=")
	if at < 0 || body[at] == '=' {
		return Item{}, false
	}
	label := strings.TrimRight(body[:at], space)
	if label == "" {
		return Item{}, false
	}
	rest := strings.TrimLeft(body[at+1:], space)
	value := strings.TrimRight(rest, " \t\r")
	return Item{Label: label, Value: value, place: &placing{
		lead: l[:len(l)-len(body)], between: body[len(label) : len(body)-len(rest)], tail: rest[len(value):],
	}}, true
}

// readInstalled hands the rest of the text to lscfg, and takes its report.
func (c *Config) readInstalled(rest []byte) error {
	above := c.Lines
	list, err := lscfg.Parse(rest)
	if err != nil {
		return fmt.Errorf("prtconf: installed resources: %w", err)
	}
	c.Installed = list
	c.Lines += list.Lines
	for _, u := range list.Unknown {
		c.Unread(u.Number+above, u.Text)
	}
	for _, w := range list.Warnings {
		if w.Number > 0 {
			w.Number += above
		}
		c.Warn(w.Number, w.Text)
	}
	return nil
}

// cut parts a text before its list of installed resources.
func cut(text []byte) (head, rest []byte) {
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		if end > 0 && bytes.IndexByte([]byte("\x1bI+*-"), text[at]) >= 0 {
			line, _ := printout.Plain(string(text[at : at+end]))
			if installedHead.MatchString(line) {
				return text[:at], text[at:]
			}
		}
		at += end + 1
	}
	return text, nil
}

// Format prints a configuration.
func Format(c *Config) []byte {
	fresh := len(c.Items) > 0 && c.Items[0].place == nil
	var rows []string
	section := ""
	for _, i := range c.Items {
		switch p := i.place; {
		case p != nil:
			rows = append(rows, p.paint.On(p.lead+i.Label+p.between+i.Value+p.tail))
		case i.Section != "":
			if fresh && i.Section != section {
				rows = append(rows, " ", i.Section)
			}
			rows = append(rows, "\t"+i.Label+": "+i.Value)
		default:
			rows = append(rows, i.Label+": "+i.Value)
		}
		section = i.Section
	}
	if fresh && c.Installed != nil {
		rows = append(rows, " ")
	}
	out := c.layout.Print(len(rows), func(i int) string { return rows[i] })
	if c.Installed != nil {
		out = append(out, lscfg.Format(c.Installed)...)
	}
	return out
}
