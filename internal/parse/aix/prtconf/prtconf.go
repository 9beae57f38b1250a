// Package prtconf reads the configuration of a system: prtconf and
// lsconf, which print the same. The machine's model, serial number and
// partition join a host to its managed system.
//
// The list of installed resources at the end is lscfg's and is read by that
// codec. Volume groups are not of interest: their lines are passed over.
package prtconf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/lscfg"
	"seaworthy/internal/parse/labels"
)

// Item is a labelled value. Labels differ by locale: those below are English.
type Item struct {
	Section string `json:"section,omitempty"` // empty: the machine; or "Network Information"
	Label   string `json:"label"`
	Value   string `json:"value"`
}

// Config is one output.
type Config struct {
	parse.Report
	Items     []Item      `json:"items,omitempty"`
	Installed *lscfg.List `json:"installed,omitempty"` // nil: not printed
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

var (
	machineModel  = parse.Lazy(`^[0-9A-Z]{4}-[0-9A-Z]{3}$`)
	machineSerial = parse.Lazy(`^[0-9A-Z]{7}$`)
	sectionShape  = parse.Lazy(`^\s*(\S.* Information|Information\S* .*)\s*$`)
	volumeGroups  = parse.Lazy(`^\s*(?:Volume Groups Information\s*$|.{0,2}={20,})`)
	// A line among the volume groups: the name of one, a disk with its state and numbers of partitions.
	groupName     = parse.Lazy(`^\s*[A-Za-z][\w.-]*:\s*$`)
	diskRow       = parse.Lazy(`^\s*[A-Za-z][\w.-]*\s+\S+(?:\s\S+)?\s+\d+\s+\d+(?:\s+[\d.]+)?\s*$`)
	installedHead = parse.Lazy(`(?m)^(?:\x1b\[[0-9;]*m)?(?:INSTALLED RESOURCE LIST|[+*-] [a-z]\S*[ \t])`)
	interfaceLine = parse.Lazy(`^\s*[a-z]{2,4}\d+\s*$`)
)

// machineLabels are those that only prtconf prints.
var machineLabels = []string{"System Model", "Machine Serial Number", "Processor Type", "Number Of Processors", "Kernel Type",
	"LPAR Info", "Memory Size", "Platform Firmware level", "Console Login"}

// Parse reads what prtconf prints; parse.ErrNotRecognised if it holds no
// label of prtconf, no list of resources and no message.
func Parse(text []byte) (*Config, error) {
	c := &Config{}
	head, installed := text, []byte(nil)
	if at := installedHead.Regexp().FindIndex(text); at != nil {
		head, installed = text[:at[0]], text[at[0]:]
	}
	section := ""
	volumes, titled, known := false, false, false
	c.Read(head, func(l parse.Line) bool {
		q, isPair := labels.Cut(l.Text)
		title := titled // the line before ruled off a title, or named a group: its columns follow
		titled = false
		switch {
		case volumeGroups.MatchString(l.Text), volumes && groupName.MatchString(l.Text):
			volumes, titled = true, true
		case sectionShape.MatchString(l.Text):
			section, volumes = strings.TrimSpace(l.Text), false
		case volumes && (title || diskRow.MatchString(l.Text)), interfaceLine.MatchString(l.Text): // not of the network
		case volumes:
			return false
		case isPair:
			known = known || section == "" && slices.Contains(machineLabels, q.Label)
			c.Items = append(c.Items, Item{Section: section, Label: q.Label, Value: q.Value})
		default:
			return false
		}
		return true
	})
	if installed != nil {
		if err := c.readInstalled(installed); err != nil {
			return nil, err
		}
	}
	return parse.Recognised(c, known || c.Messages > 0 || c.Installed != nil)
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
		u.Number += above
		c.NotUnderstood(u)
	}
	for _, w := range list.Warnings {
		if w.Number > 0 {
			w.Number += above
		}
		c.Warn(w.Number, w.Text)
	}
	return nil
}
