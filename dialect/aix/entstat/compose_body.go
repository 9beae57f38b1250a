package entstat

import "strings"

// heading writes a heading with the rules and blank lines around it.
func (c *composer) heading(f *Field) {
	label := f.Label
	switch {
	case f.Section != label && !strings.HasSuffix(f.Section, " / "+label) && f.Number == nil && f.Text == "":
		c.lines(label + ":")
	case strings.Contains(f.Section, " / "):
		c.minorHeading(f)
	case hasPrefixFold(label, "Statistics for adapters in the"):
		c.style = shared
		if f.Text != "" {
			label += " " + f.Text
		}
		c.lines("", rule("-", 62), label, rule("-", 62))
	case hasPrefixFold(label, "Statistics for every adapter in the"):
		c.style = plain
		c.lines("", rule("=", 61), rule("=", 61), "", label+":", rule("-", len(label)+1), "")
	case majorLabel(label):
		c.style = plain
		if strings.Contains(strings.ToLower(label), "l-lan") {
			c.style = llan
		}
		if sameLabel(label, "Additional Statistics") {
			c.style = tabbed
		}
		c.lines("", label+":", rule("-", len(label)+1))
	default: // the adapter's name
		c.style = plain
		c.lines("", label, rule("-", 61))
	}
	c.inHead = false
}

func (c *composer) minorHeading(f *Field) {
	label := f.Label
	switch {
	case infoDepth[strings.ToLower(label)] > 0:
		if f.Level == 0 {
			c.lines("")
		}
		width := rowLabel
		if hasSuffixFold(label, " Buffers") {
			width++
		}
		text := spaces(2*f.Level) + label
		c.lines(text + spaces(width-len(text)))
	case isBanner(label) && hasSuffixFold(label, "ADAPTERS"):
		c.lines(rule("=", 61), "", spaces(21)+label, "", rule("=", 61))
	case isBanner(label):
		c.lines("", "", "\t"+label)
	case f.Number != nil && strings.EqualFold(label, "Thread"):
		c.lines("\t\t" + label + " .............. #" + f.value())
	case f.Number != nil:
		c.lines(c.indent(f) + f.pair())
	case hasSuffixFold(label, "VLAN Ids"):
		c.lines(c.indent(f) + label + " :")
	case hasSuffixFold(label, " State"):
		c.lines(c.indent(f) + label + ": ")
	default:
		c.lines(c.indent(f) + label + ":")
	}
}

func (c *composer) indent(f *Field) string {
	switch c.style {
	case llan:
		return spaces(2 * f.Level)
	case shared:
		return spaces(4 * f.Level)
	}
	return strings.Repeat("\t", f.Level)
}

// apart are the lines with a blank line above them.
var apart = map[string]bool{
	"LPAR Active Memory Sharing": true, "Hypervisor Send Failures": true, "Invalid VLAN ID Packets": true,
	"ILLAN Attributes": true, "Port VLAN ID": true, "Switch ID": true, "Partner System Priority": true,
}

// field writes a line of a driver's or a bridge's section.
func (c *composer) field(f *Field, before []*Field) {
	var last *Field
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	if apart[f.Label] || f.Label == "Received LACPDUs" && strings.HasSuffix(f.Section, "Port Statistics") {
		c.lines("")
		if f.Label == "Switch ID" && last != nil && last.Kind == List && len(last.Cells) == 0 {
			c.lines("") // one more where no VLANs are listed
		}
	}
	switch f.Kind {
	case List:
		c.list(f)
	case Source:
		c.text(c.indent(f), f.value(), "\t", f.Text)
	case Columns:
		c.row(f, f.Items)
	case Row:
		cells := make([]string, len(f.Cells))
		for i, n := range f.Cells {
			cells[i] = string(appendCell(nil, n, 0))
		}
		c.row(f, cells)
	default:
		c.text(c.indent(f))
		c.pair(f)
	}
}

func (c *composer) list(f *Field) {
	if f.Text == "" && f.Number == nil || len(f.Cells) > 0 {
		c.b = appendList(c.b, f, c.eol)
		return
	}
	sep := ": "
	if c.style == llan { // None stands where the first ID would
		sep = ":" + spaces(6-len(f.value()))
	}
	c.lines(c.indent(f) + f.Label + sep + f.value())
	if len(f.Items) > 0 {
		c.b = appendList(c.b, f, c.eol)
	}
}

func (c *composer) row(f *Field, cells []string) {
	label := spaces(2*f.Level) + f.Label
	c.text(label, spaces(rowLabel-len(label)))
	for _, cell := range cells {
		c.text(spaces(max(1, rowCell-len(cell))), cell)
	}
}

// joins tells fields that stand on the line of the one before.
func joins(f *Field, line []*Field) bool {
	if len(line) == 0 || line[0].Kind != Value || f.Kind != Value {
		return false
	}
	switch before := line[len(line)-1].Label; f.Label {
	case "Active":
		return before == "Priority"
	case "Queued":
		return before == "Enabled"
	case "Overflow":
		return before == "Queued"
	case "Received LACPDUs":
		return before == "LACPDU Interval"
	}
	return false
}

func (c *composer) join(f *Field) {
	gap := "  "
	if c.style == plain {
		gap = "\t"
	}
	c.text(gap)
	c.pair(f)
}

func (c *composer) pair(f *Field) {
	value := f.value()
	switch {
	case c.style == tabbed:
		c.text(f.Label, ":\t", value)
	case f.Label == "Port VLAN ID":
		c.text(f.Label, ": ", spaces(5-len(value)), value)
	case strings.HasSuffix(f.Label, "dropped(VlanId)"):
		c.text(f.Label, " : ", value)
	default:
		c.text(f.Label, ": ", value)
	}
}
