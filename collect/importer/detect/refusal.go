package detect

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/printout"
	"seaworthy/dialect/registry"
)

var (
	speaker      = dialect.Lazy(`^\s*(?:/\S*/)?([a-z][a-z0-9_]*):`)
	spokenDevice = dialect.Lazy(`\b(?:entstat|lsattr|netstat|ifconfig|vnicstat|seastat)\b.*?\b((?:ent|en|et|vnicserver)[0-9]{1,5})\b`)
)

// refusal knows a text that is nothing but error messages of a command: that it
// answered nothing, and why, is worth keeping.
func refusal(text []byte, asked Call) *Found {
	if len(text) > 16<<10 {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(text), "\r\n"), "\n")
	f := &Found{Known: true}
	f.Report.Lines = len(lines)
	for i := 0; i < len(lines); {
		if strings.TrimSpace(lines[i]) == "" {
			f.Blank++
			i++
			continue
		}
		n := printout.Message(lines, i)
		if n == 0 {
			return nil
		}
		said := printout.Joined(lines[i : i+n])
		f.Report.Warn(i+1, "error message: "+said)
		if m := speaker.FindStringSubmatch(said); m != nil && asked.ID == "" {
			asked = ParseCommand(m[1] + " ")
		}
		if m := spokenDevice.FindStringSubmatch(said); m != nil && asked.Element == "" {
			asked.Element = m[1]
		}
		i += n
	}
	if asked.ID == "" {
		return nil
	}
	f.ID, f.Element, f.Attribute = asked.ID, asked.Element, asked.Attribute
	if e := registry.Find(f.ID); e != nil {
		f.Kind, f.Family = e.Command, e.Family
	}
	return f
}
