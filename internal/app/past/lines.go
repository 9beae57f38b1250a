package past

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/collect"
	"seaworthy/internal/history"
)

// mostLines bounds the lines of an output that are shown of one side.
const mostLines = 40

// Lines are those by which two outputs of a command differ.
type Lines struct {
	Command string   // its line
	Before  []string // that only the earlier one has, in its order
	After   []string // that only the later one has
	Cut     int      // lines that are left out
	About   bool     // it is about what was asked for, or names it
}

// LinesBetween gives the lines by which two snapshots of a host differ, by command; those about
// an element and an attribute first.
func LinesBetween(
	ctx context.Context, store *history.Store, host string, before, after time.Time, element, attribute string,
) ([]Lines, error) {
	old, err := textsAt(ctx, store, host, before)
	if err != nil {
		return nil, err
	}
	now, err := textsAt(ctx, store, host, after)
	if err != nil {
		return nil, err
	}
	var out []Lines
	for name, text := range now {
		out = append(out, differing(name, old[name], text, element, attribute))
		delete(old, name)
	}
	for name, text := range old {
		out = append(out, differing(name, text, printed{}, element, attribute))
	}
	out = slices.DeleteFunc(out, func(l Lines) bool { return len(l.Before)+len(l.After) == 0 })
	rank := func(l Lines) int {
		if l.About {
			return 0
		}
		return 1
	}
	slices.SortFunc(out, func(a, b Lines) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a.Command, b.Command)) })
	return out, nil
}

// printed is what a command printed.
type printed struct {
	element string
	lines   []string
}

// textsAt are the outputs of a host at a time, by command.
func textsAt(ctx context.Context, store *history.Store, host string, at time.Time) (map[string]printed, error) {
	list, err := store.Snapshots(ctx, at, host)
	if err != nil {
		return nil, err
	}
	var s *collect.Snapshot
	s, err = store.Restore(ctx, list[0])
	if err != nil {
		return nil, err
	}
	out := map[string]printed{}
	for i := range s.Manifest.Commands {
		r := &s.Manifest.Commands[i]
		text, err := s.Text(r)
		if err != nil {
			return nil, err
		}
		out[r.Line] = printed{r.Element, strings.Split(string(text), "\n")}
	}
	return out, nil
}

// differing compares two outputs line by line, whatever their order.
func differing(name string, old, now printed, element, attribute string) Lines {
	l := Lines{Command: name, Before: only(old.lines, now.lines), After: only(now.lines, old.lines)}
	all := slices.Concat(l.Before, l.After)
	of := cmp.Or(now.element, old.element)
	l.About = element != "" && of == element || attribute != "" && slices.ContainsFunc(all, func(line string) bool {
		return strings.Contains(line, attribute)
	})
	for _, side := range []*[]string{&l.Before, &l.After} {
		if len(*side) > mostLines {
			l.Cut += len(*side) - mostLines
			*side = (*side)[:mostLines]
		}
	}
	return l
}

// only are the lines that other does not have, or not as often.
func only(lines, other []string) (out []string) {
	often := map[string]int{}
	for _, l := range other {
		often[l]++
	}
	for _, l := range lines {
		if often[l] > 0 {
			often[l]--
			continue
		}
		out = append(out, l)
	}
	return out
}
