package report

import (
	"seaworthy/internal/app/past"
)

// Onset says since when the causes of a diagnosis are there; nil: nobody asked a history.
func Onset(d *Document, o *past.Onset, verbose bool) {
	if o == nil {
		return
	}
	d.Subheading("Since when, by " + o.History)
	if len(o.Causes) == 0 {
		d.Line("There is no cause to look for.")
	}
	for _, c := range o.Causes {
		switch {
		case c.Absent:
			d.Line("%s: not in the last snapshots of the history", c.Head)
		case c.Began.IsZero():
			d.Line("%s: from the first snapshot on, %s UTC", c.Head, minuteOf(c.First))
		default:
			d.Line("%s: since %s UTC; at %s it was not there", c.Head, minuteOf(c.Began), minuteOf(c.LastWithout))
			if len(c.Before) == 0 {
				d.Line("  No setting, level, link or topology changed within the hour before.")
			}
			addChanges(d, "changed before", c.Before, true, verbose)
		}
	}
}
