package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/app/defects"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report/doc"
)

// Defects lists known defects, one a row.
func Defects(d *Document, all []knowledge.Defect) {
	t := doc.NewWrapped("defects", doc.Left("defect"), doc.Left("platform"), doc.Left("harm"), doc.Left("judged"), doc.Left("title"))
	for _, x := range all {
		judged := "no"
		if len(x.Checks) > 0 {
			judged = "yes"
		}
		t.Add(x.ID, strings.Join(x.Platforms, ", "), x.Harm, judged, x.Title)
	}
	d.Table(t)
}

// Defect says all that is known of one.
func Defect(d *Document, x *knowledge.Defect) {
	d.Line("%s  %s", doc.Styled(doc.Head, x.ID), x.Title)
	d.Prose("same fix", strings.Join(x.Siblings, ", "))
	d.Prose("platform", strings.Join(x.Platforms, ", "))
	d.Prose("component", x.Component)
	d.Prose("affected", affected(x.Affected)...)
	d.Prose("fixed", fixed(x.Fixed)...)
	d.Prose("needs", x.Needs)
	for _, check := range x.Checks {
		d.Prose("judged on", strings.Join(check.Kind, ", "))
		d.Prose("where", check.When)
		d.Prose("condition", check.Condition)
	}
	d.Prose("symptom", x.Symptom)
	for _, sign := range x.Signs {
		d.Prose("sign", cmp.Or(sign.Counter, sign.Errpt, sign.Message))
	}
	harm := x.Harm
	if x.Crash {
		harm += ", the system goes down"
	}
	if x.HIPER {
		harm += ", HIPER"
	}
	d.Prose("harm", harm)
	d.Prose("cure", x.Cure)
	d.Prose("workaround", x.Workaround)
	d.Prose("effect", x.SideEffect)
	d.Prose("source", strings.TrimSuffix(x.Source.Title+", "+x.Source.Where, ", "))
	d.Prose("confidence", x.Confidence)
}

func affected(a *knowledge.Affected) (lines []string) {
	if a.NotPublished {
		return []string{"not published: no source gives the levels"}
	}
	for _, f := range a.Filesets {
		through := "and later"
		if f.Through != "" {
			through = "to " + f.Through
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", f.Fileset, f.From, through))
	}
	for _, r := range a.AIX {
		lines = append(lines, fmt.Sprintf("AIX from %s, below %s", r.From, r.Below))
	}
	for _, r := range a.VIOS {
		lines = append(lines, fmt.Sprintf("VIOS from %s, below %s", r.From, r.Below))
	}
	if a.Kernel != "" {
		lines = append(lines, "Linux from "+a.Kernel)
	}
	for _, f := range a.Firmware {
		lines = append(lines, firmware(f))
	}
	if a.Always {
		lines = append(lines, "every level before the fix")
	}
	if len(a.BroughtBy) > 0 {
		lines = append(lines, "where one of these is installed: "+strings.Join(a.BroughtBy, ", "))
	}
	if a.AsPublished != "" {
		lines = append(lines, a.AsPublished)
	}
	return lines
}

func firmware(f knowledge.Firmware) string {
	text := "system firmware"
	if f.Adapter != "" {
		text = "microcode of adapters " + f.Adapter
	}
	if f.From != "" {
		text += " from " + f.From + ","
	}
	return text + " below " + f.Below
}

func fixed(f *knowledge.Fixed) (lines []string) {
	if f == nil {
		return nil
	}
	for _, x := range f.Filesets {
		text := x.Fileset + " " + x.Level
		if x.ShipsIn != "" {
			text += ", in " + x.ShipsIn
		}
		if x.APAR != "" {
			text += " (" + x.APAR + ")"
		}
		lines = append(lines, text)
	}
	if len(f.AIX) > 0 {
		lines = append(lines, "AIX "+strings.Join(f.AIX, ", "))
	}
	if f.Mainline != "" {
		lines = append(lines, "Linux "+f.Mainline)
	}
	if len(f.Stable) > 0 {
		lines = append(lines, "Linux "+strings.Join(f.Stable, ", "))
	}
	return append(lines, f.Packages...)
}

// DefectCheck says which defects hosts have.
func DefectCheck(d *Document, r *defects.Result) {
	if len(r.Verdicts) == 0 {
		d.Line("No known defect that could be judged is at the levels of %s.", Plural(len(r.Hosts), "host"))
	}
	for i := range r.Verdicts {
		v := &r.Verdicts[i]
		if v.Verdict == defects.NotRead {
			continue // below, by command
		}
		at := v.Host
		if v.Element != "" {
			at += ":" + v.Element
		}
		d.Line("%s  %s  %s: %s", doc.Styled(doc.Head, v.Verdict), at, v.Defect, v.Title)
		why := v.Why
		if v.Command != "" {
			why += " (" + v.Command + ")"
		}
		d.Prose("why", why)
		if v.Verdict == defects.Cured {
			continue
		}
		for _, e := range v.Evidence {
			d.Prose("seen", e.Text)
		}
		if v.Verdict != finding.Bites && v.Verdict != finding.MayBite {
			d.Prose("needs", v.Needs)
		}
		d.Prose("harm", v.Harm)
		d.Prose("do", v.Advice...)
		d.Prose("source", v.Source)
	}
	unread(d, r)
}

// unread says which defects wait for what each host did not say: fixes that instfix can be
// asked for in one command, other readings, and levels that no source gives.
func unread(d *Document, r *defects.Result) {
	const asksFix = "instfix -ik "
	for _, host := range r.Hosts {
		waiting := map[string][]defects.Verdict{} // by command, or by why where there is none
		var fixes []string
		var forFixes []defects.Verdict
		for _, v := range r.Verdicts {
			if v.Host != host || v.Verdict != defects.NotRead {
				continue
			}
			fix, isFix := strings.CutPrefix(v.Command, asksFix)
			if !isFix {
				key := cmp.Or(v.Command, v.Why)
				waiting[key] = append(waiting[key], v)
				continue
			}
			forFixes = append(forFixes, v)
			if !slices.Contains(fixes, fix) {
				fixes = append(fixes, fix)
			}
		}
		if len(fixes) > 0 {
			waiting[asksFix+`"`+strings.Join(fixes, " ")+`"`] = forFixes
		}
		for _, key := range slices.Sorted(maps.Keys(waiting)) {
			unreadGroup(d, host, key, waiting[key])
		}
	}
}

// unreadGroup says which defects wait for the same reading.
func unreadGroup(d *Document, host, key string, all []defects.Verdict) {
	var ids []string
	for _, v := range all {
		ids = append(ids, v.Defect)
	}
	d.Line("%s  %s  %s", doc.Styled(doc.Head, defects.NotRead), host, Plural(len(ids), "defect"))
	d.Prose("defects", strings.Join(ids, ", "))
	if all[0].Command == "" {
		d.Prose("why", key)
		return
	}
	d.Prose("why", all[0].Why)
	d.Prose("run", key)
}
