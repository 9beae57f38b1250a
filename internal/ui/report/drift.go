package report

import (
	"cmp"

	"seaworthy/internal/audit/desired"
	"seaworthy/internal/ui/report/doc"
)

// someUnknown is how many unknown values are listed; verbose lists all.
const someUnknown = 10

// Drift says where hosts are not what their site wants: a line a value, then what is not known, and exceptions.
func Drift(d *Document, r *desired.Result, notRead []string, hosts int, verbose bool) {
	for _, text := range notRead {
		d.Entry(doc.Styled(doc.Bad, "NOT READ"), text)
	}
	t := doc.NewTable("drift", doc.Left("at"), doc.Left("attribute"), doc.Left("wanted"), doc.Left("running"), doc.Left("next boot"),
		doc.Left("entry"), doc.Left("reason"))
	for _, v := range r.Drift {
		t.Add(v.Ref().String(), v.Attr, v.Want, read(v.Running), read(v.NextBoot), v.Entry, v.Reason)
	}
	if !t.Empty() {
		d.Table(t)
	}
	addUnjudged(d, r.Unknown, verbose)
	if verbose {
		x := doc.NewTable("excepted", doc.Left("accepted at"), doc.Left("attribute"), doc.Left("wanted"), doc.Left("running"),
			doc.Left("until"), doc.Left("reason"))
		for _, v := range r.Excepted {
			x.Add(v.Ref().String(), v.Attr, v.Want, read(v.Running), v.Until, v.Reason)
		}
		if !x.Empty() {
			d.Table(x)
		}
	}
	for _, text := range r.Idle {
		d.Entry(doc.Styled(doc.Dim, "no effect"), text)
	}
	d.Gap()
	if r.Held+len(r.Drift)+len(r.Excepted) == 0 {
		d.Line("Nothing could be judged on %s, %d not known.", Plural(hosts, "host"), len(r.Unknown))
		return
	}
	if len(r.Drift) == 0 {
		d.Line("No drift: %s as wanted on %s, %d not known, %d accepted.", Plural(r.Held, "value"), Plural(hosts, "host"),
			len(r.Unknown), len(r.Excepted))
		return
	}
	d.Line("%s not as wanted, %d as wanted on %s, %d not known, %d accepted.", Plural(len(r.Drift), "value"), r.Held, Plural(hosts, "host"),
		len(r.Unknown), len(r.Excepted))
}

// addUnjudged lists values that could not be judged.
func addUnjudged(d *Document, all []desired.Value, verbose bool) {
	t := doc.NewTable("unknown", doc.Left("not known at"), doc.Left("attribute"), doc.Left("wanted"), doc.Left("why"))
	for i, v := range all {
		if i == someUnknown && !verbose {
			break
		}
		t.Add(v.Ref().String(), v.Attr, v.Want, v.Why)
	}
	if t.Empty() {
		return
	}
	d.Table(t)
	if more := len(all) - someUnknown; more > 0 && !verbose {
		d.Line("… and %s (-v)", Plural(more, "value"))
	}
}

// read is a value, or that it was not read.
func read(value *string) string {
	if value == nil {
		return "not read"
	}
	return cmp.Or(*value, "unset")
}
