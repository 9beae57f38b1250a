package task

// Halves parts a task into what a run that waits for a confirmation does at once, and
// what it writes for the next boot once it is confirmed: see Persist.OnConfirm. kept is
// nil where nothing waits.
func (t Task) Halves() (now Task, kept *Task, err error) {
	now = t
	now.Changes = nil
	var k Program
	for _, c := range t.Changes {
		if c.Persist != nil && c.Persist.OnConfirm {
			w := writer{Login: t.Login, element: t.Of(c).Element, kind: t.Kind}
			do, err := w.keep(c, c.after())
			if err != nil {
				return now, nil, err
			}
			undo, err := w.keep(c, c.before())
			if err != nil {
				return now, nil, err
			}
			k.Before, k.Verify = append(k.Before, w.kept(c, c.before())...), append(k.Verify, w.kept(c, c.after())...)
			k.Do, k.Undo = append(k.Do, do...), append(undo, k.Undo...)
			c.Persist = nil
		}
		now.Changes = append(now.Changes, c)
	}
	if len(k.Do) == 0 {
		return t, nil, nil
	}
	kept = &Task{ID: t.ID + " at next boot", Host: t.Host, Element: t.Element, Kind: t.Kind, Login: t.Login, Program: k}
	return now, kept, now.Write()
}

// BeforeConfirm are the values that a change has left until its run is confirmed.
func (c Change) BeforeConfirm() Values {
	v := c.After
	if c.Persist != nil && c.Persist.OnConfirm {
		v.NextBoot = c.Before.NextBoot
	}
	return v
}
