package recognise

import (
	"strings"

	"seaworthy/dialect"
	"seaworthy/dialect/aix/ioslevel"
	"seaworthy/dialect/aix/oslevel"
	"seaworthy/dialect/aix/uname"
)

// smallKinds print a line or two. A shape is all they have, so every line of
// the text must have it.
var smallKinds = []kind{
	{name: "uname", id: "uname-a", family: AIX, mark: mark(`^(?:AIX |IBM,|[0-9A-F]{12}[ \t]*$)`), read: readUname, least: 0.9},
	{name: "oslevel", id: "oslevel-s", family: AIX, mark: mark(`^[ \t]*(?:\d{4}-\d{2}(?:-\d{2}-\d{4})?|[4-7]\.[1-4]\.0\.0)[ \t\r]*$`), read: readOslevel, least: 0.9},
	{name: "ioslevel", id: "ioslevel", family: VIOS, mark: mark(`^[ \t]*(?:VIOS Level is )?[1-9]\.\d+\.\d+\.\d+(?:-FP\S*)?[ \t\r]*$`), read: readIoslevel, least: 0.9},
}

func readUname(text []byte, f *Found) (*dialect.Report, error) {
	n, err := uname.Parse(text)
	if err == nil {
		f.Kind, f.ID = "uname -"+n.Flag, "uname-"+n.Flag
		if n.Node != "" {
			f.Host, f.HostFrom = n.Node, "node name of uname -a"
		}
	}
	return of(n, err, func(n *uname.Names) *dialect.Report { return &n.Report })
}

// readOslevel tells the forms apart, so that a level without its service pack,
// or a list of levels that there are, does not stand in for that of oslevel -s.
func readOslevel(text []byte, f *Found) (*dialect.Report, error) {
	o, err := oslevel.Parse(text)
	if err == nil {
		now, ok := o.Current()
		switch {
		case !ok || len(o.Levels) > 1 && now.ServicePack == nil:
			f.Kind, f.ID = "oslevel -q", "oslevel-q"
		case now.Dotted != "":
			f.Kind, f.ID = "oslevel", "oslevel"
		case now.ServicePack == nil:
			f.Kind, f.ID = "oslevel -r", "oslevel-r"
		default:
			f.Kind, f.ID = "oslevel -s", "oslevel-s"
		}
	}
	return of(o, err, func(o *oslevel.Output) *dialect.Report { return &o.Report })
}

// readIoslevel also takes the sentence that a snap of a VIOS has.
func readIoslevel(text []byte, _ *Found) (*dialect.Report, error) {
	l, err := ioslevel.Parse([]byte(strings.Replace(string(text), "VIOS Level is ", "", 1)))
	return of(l, err, func(l *ioslevel.Level) *dialect.Report { return &l.Report })
}
