package task

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/shellword"
)

// Forward is the task's commands: a session that stalls while its interface is down does
// not keep the rest from running, and an interface that was taken down comes up again even
// if the change fails.
func (t Task) Forward() remote.Work {
	p := t.values()
	return remote.Work{Steps: p.do, Ensure: p.ensure}
}

// Back is the undo. Each command runs whatever became of the one before: as much as can be
// is put back.
func (t Task) Back() remote.Work { return remote.Work{Steps: t.values().undo, All: true} }

// Reads is the command of a check of the task.
func (t Task) Reads(c Check) remote.Step {
	p := t.values()
	for _, r := range slices.Concat(p.before, p.verify) {
		if r.step.String() == c.Command {
			return r.step
		}
	}
	return own(c.Command)
}

// values is the task's program as values. Lines that its changes do not lead to are the
// login's own.
func (t Task) values() program {
	if p, err := t.derive(); err == nil && len(p.do)+len(p.undo) > 0 {
		return p
	}
	return program{do: owns(t.Do), ensure: owns(t.Ensure), undo: owns(t.Undo)}
}

// Functions writes a task as five functions: before_N, do_N, after_N, undo_N,
// undone_N. Each returns 0 if all went well; the checks say what differs on
// their standard output. They need Prelude.
func (t Task) Functions(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Step %d: %s\n", n, Comment(t.ID))
	checks := func(name string, list []Check) {
		fmt.Fprintf(&b, "%s_%d() {\n\tdiffers=0\n", name, n)
		for _, c := range list {
			what := Comment(fmt.Sprintf("%s %s %s", t.Host, c.Element, c.Attr))
			fmt.Fprintf(&b, "\tgot=$(%s) || got=\"the command failed: $got\"\n\tsame %s %s \"$got\" || differs=1\n",
				c.Command, shellword.Quote(what), shellword.Quote(Printed(c.Want)))
		}
		b.WriteString("\treturn \"$differs\"\n}\n")
	}
	checks("before", t.Before)
	fmt.Fprintf(&b, "do_%d() {\n\tif ", n)
	if len(t.Do) == 0 {
		b.WriteString("true")
	}
	b.WriteString(strings.Join(t.Do, " &&\n\t\t"))
	b.WriteString("; then return 0; fi\n")
	for _, l := range t.Ensure {
		fmt.Fprintf(&b, "\t%s\n", l)
	}
	b.WriteString("\treturn 1\n}\n")
	checks("after", t.Verify)
	fmt.Fprintf(&b, "undo_%d() {\n\tfailed=0\n", n)
	for _, l := range t.Undo {
		fmt.Fprintf(&b, "\t%s || failed=1\n", l)
	}
	b.WriteString("\treturn \"$failed\"\n}\n")
	checks("undone", t.Before)
	return b.String()
}

// Prelude holds what the functions call. On a VIOS they run as root, while the
// plan's lines are those of padmin: oem_setup_env is a root shell there too.
//
// Aliases go first: Korn shells have some of their own (stop, suspend), which
// win over functions, and a site's $ENV may add any.
//
//go:embed prelude.sh
var Prelude string

// Halves parts a task into what a run that waits for a confirmation does at once, and
// what it writes for the next boot once it is confirmed: see Persist.OnConfirm. kept is
// nil where nothing waits.
func (t Task) Halves() (now Task, kept *Task, err error) {
	now = t
	now.Changes = nil
	var k program
	for _, c := range t.Changes {
		if c.Persist != nil && c.Persist.OnConfirm {
			w := writer{Login: t.Login, element: t.Of(c).Element, kind: t.Kind}
			do, err1 := w.keep(c, false)
			undo, err2 := w.keep(c, true)
			before, err3 := w.kept(c, c.before())
			after, err4 := w.kept(c, c.after())
			if err := cmp.Or(err1, err2, err3, err4); err != nil {
				return now, nil, err
			}
			k.before, k.verify = append(k.before, before...), append(k.verify, after...)
			k.do, k.undo = append(k.do, owns(do)...), append(owns(undo), k.undo...)
			c.Persist = nil
		}
		now.Changes = append(now.Changes, c)
	}
	if len(k.do) == 0 {
		return t, nil, nil
	}
	kept = &Task{ID: t.ID + " at next boot", Host: t.Host, Element: t.Element, Kind: t.Kind, Login: t.Login, Program: k.text()}
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
