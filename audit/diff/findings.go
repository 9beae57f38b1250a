package diff

import "seaworthy/audit/finding"

// What became of a finding since the earlier snapshot, in Finding.Change.
const (
	New      = "new"
	Assessed = "newly assessed" // the earlier snapshot lacked a fact, so it may have been there
	Still    = "still there"
)

// Findings are two audits compared. Lists are empty, never nil.
type Findings struct {
	New   []finding.Finding `json:"new"` // also those that could not be assessed before
	Gone  []finding.Finding `json:"gone"`
	Lost  []finding.Finding `json:"lost"` // found before, and not known now
	Still []finding.Finding `json:"still"`
}

// Compare sorts findings by what became of them, and marks those of now. A
// finding that is only a symptom of another is there all the same.
func Compare(before, now []finding.Finding) Findings {
	out := Findings{New: []finding.Finding{}, Gone: []finding.Finding{}, Lost: []finding.Finding{}, Still: []finding.Finding{}}
	was, is := verdicts(before), verdicts(now)
	for i := range now {
		f := &now[i]
		if f.Verdict != finding.Found {
			continue
		}
		switch was[f.ID] {
		case finding.Found:
			f.Change = Still
			out.Still = append(out.Still, *f)
			continue
		case finding.NotAssessed:
			f.Change = Assessed
		default:
			f.Change = New
		}
		out.New = append(out.New, *f)
	}
	for _, f := range before {
		switch {
		case f.Verdict != finding.Found || is[f.ID] == finding.Found:
		case is[f.ID] == finding.NotAssessed:
			out.Lost = append(out.Lost, f)
		default:
			out.Gone = append(out.Gone, f)
		}
	}
	return out
}

// Unread moves what is gone only because its host was not read.
func (f *Findings) Unread(read func(host string) bool) {
	gone := []finding.Finding{}
	for _, x := range f.Gone {
		if read(x.Element.Host) {
			gone = append(gone, x)
		} else {
			f.Lost = append(f.Lost, x)
		}
	}
	f.Gone = gone
}

// verdicts are those of all findings, of symptoms too.
func verdicts(all []finding.Finding) map[string]finding.Verdict {
	out := map[string]finding.Verdict{}
	for _, f := range all {
		for _, id := range f.Symptoms {
			out[id] = finding.Found
		}
		out[f.ID] = f.Verdict
	}
	return out
}
