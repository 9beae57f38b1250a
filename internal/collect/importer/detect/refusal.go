package detect

import (
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

var (
	speaker      = parse.Lazy(`^\s*(?:/\S*/)?([a-z][a-z0-9_]*):`)
	spokenDevice = parse.Lazy(`\b(?:entstat|lsattr|netstat|ifconfig|vnicstat|seastat)\b.*?\b((?:ent|en|et|vnicserver)[0-9]{1,5})\b`)
)

// refusal knows a text that is nothing but error messages of a command: that it
// answered nothing, and why, is worth keeping.
func refusal(text []byte, asked Call) *Found {
	if len(text) > 16<<10 {
		return nil
	}
	f := &Found{Known: true}
	lines := parse.Lines(text, &f.Report)
	if len(lines) > 0 || f.Report.Messages == 0 {
		return nil
	}
	for _, w := range f.Report.Warnings {
		said, _ := w.Message()
		if m := speaker.FindStringSubmatch(said); m != nil && asked.ID == "" {
			asked = ParseCommand(m[1] + " ")
		}
		if m := spokenDevice.FindStringSubmatch(said); m != nil && asked.Element == "" {
			asked.Element = m[1]
		}
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
