package top

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/ui/livetree"
	"seaworthy/internal/ui/report/doc"
)

// Options of a screen.
type Options struct {
	Every  time.Duration // between two readings
	Color  bool
	Replay []*live.Frame // frames to step through; empty: they come as messages
	Source string        // of the frames: a recording's file
	// Save keeps the screen in a file and gives its name.
	Save func(text string) (path string, err error)
}

// FrameMsg is the tree as it is now.
type FrameMsg struct{ *live.Frame }

// FailedMsg ends the program with an error.
type FailedMsg struct{ Err error }

// Screen holds what is shown and how.
type Screen struct {
	Options
	paint doc.Screen

	width, height int
	frame         *live.Frame    // shown
	latest        *live.Frame    // differs while paused
	step          int            // of Replay
	rows          []livetree.Row // of frame, without those folded away or filtered out
	folded        map[string]bool
	filter        string
	cursor        string // key of the row, once the user moved it; before, the first row has it
	at, top       int    // index of the cursor's row, and of the first row shown

	unit                livetree.Unit
	order               livetree.Order
	past                map[string][]float64 // bytes in and out a second by row, the newest last
	paused, peaks, help bool
	prompt              rune // / or :, while the user types; else 0
	input               string
	message             string
	err                 error
}

// New makes a screen of 80×24 until it hears its size.
func New(o Options) *Screen {
	s := &Screen{Options: o, width: 80, height: 24, folded: map[string]bool{}, past: map[string][]float64{}, paint: doc.Screen{Color: o.Color}}
	if len(o.Replay) > 0 {
		s.show(o.Replay[0])
	}
	return s
}

func (s *Screen) show(f *live.Frame) {
	s.frame = f
	s.remember(f)
	s.arrange()
}

// pastPoints is how many frames a sparkline shows: a minute at two seconds.
const pastPoints = 30

// remember keeps the traffic of each row for its sparkline.
func (s *Screen) remember(f *live.Frame) {
	if f == nil {
		return
	}
	for _, r := range livetree.Rows(f) {
		if r.Element == nil {
			continue
		}
		in, known := r.Element.Rates[live.InBytes]
		if !known {
			continue
		}
		points := append(s.past[r.Key], in+r.Element.Rates[live.OutBytes])
		s.past[r.Key] = points[max(0, len(points)-pastPoints):]
	}
}

// arrange decides which rows there are, keeps the cursor on its row, and scrolls
// so that it is seen.
func (s *Screen) arrange() {
	if s.frame == nil {
		return
	}
	all := livetree.Rows(livetree.Sorted(s.frame, s.order))
	wanted := make([]bool, len(all))
	var above []int // the rows that row i is below, the outermost first
	for i, r := range all {
		for len(above) > 0 && all[above[len(above)-1]].Depth >= r.Depth {
			above = above[:len(above)-1]
		}
		above = append(above, i)
		if !r.Matches(s.filter) {
			continue
		}
		for _, j := range above {
			wanted[j] = true
		}
	}
	s.rows = nil
	hidden := -1 // deeper rows are folded away
	for i, r := range all {
		if hidden >= 0 && r.Depth > hidden {
			continue
		}
		hidden = -1
		if s.folded[r.Key] {
			hidden = r.Depth
		}
		if wanted[i] {
			s.rows = append(s.rows, r)
		}
	}
	if i := slices.IndexFunc(s.rows, func(r livetree.Row) bool { return r.Key == s.cursor }); i >= 0 {
		s.at = i
	}
	s.scroll()
}

// move moves the cursor by so many rows.
func (s *Screen) move(by int) {
	s.at = max(0, min(s.at+by, len(s.rows)-1))
	if len(s.rows) > 0 {
		s.cursor = s.rows[s.at].Key
	}
	s.scroll()
}

// scroll keeps the cursor on a row, and that row on the screen.
func (s *Screen) scroll() {
	s.at = max(0, min(s.at, len(s.rows)-1))
	room := s.room()
	s.top = max(0, min(s.top, len(s.rows)-room))
	s.top = min(s.top, s.at)
	s.top = max(s.top, s.at-room+1)
}

// room is how many rows there is room for.
func (s *Screen) room() int { return max(1, s.height-headLines-footLines) }

// fold folds the cursor's row, or unfolds it.
func (s *Screen) fold() {
	if s.at >= len(s.rows) || !s.rows[s.at].Parent() {
		return
	}
	key := s.rows[s.at].Key
	s.folded[key] = !s.folded[key]
	s.arrange()
}

// find goes to the first row of that name: a host, HOST:ELEMENT, a system or an
// element; the beginning of it will do.
func (s *Screen) find(name string) {
	if s.frame == nil || name == "" {
		return
	}
	want := strings.ToLower(name)
	all := livetree.Rows(s.frame)
	for _, is := range []func(livetree.Row) bool{
		func(r livetree.Row) bool { return strings.HasPrefix(strings.ToLower(r.Key), "/"+want) },
		func(r livetree.Row) bool {
			return r.Element != nil && strings.HasPrefix(strings.ToLower(r.Host.Name+":"+r.Element.Name), want)
		},
		func(r livetree.Row) bool {
			return r.Element != nil && strings.HasPrefix(strings.ToLower(r.Element.Name), want)
		},
		func(r livetree.Row) bool {
			return r.Host == nil && strings.HasPrefix(strings.ToLower(r.System.Name), want)
		},
	} {
		i := slices.IndexFunc(all, is)
		if i < 0 {
			continue
		}
		if !all[i].Matches(s.filter) {
			s.filter = ""
		}
		for j, depth := i-1, all[i].Depth; j >= 0; j-- {
			if all[j].Depth < depth {
				depth = all[j].Depth
				delete(s.folded, all[j].Key)
			}
		}
		s.cursor = all[i].Key
		s.arrange()
		return
	}
	s.message = fmt.Sprintf("no host, element or system begins with %s", name)
}

// Err is why the program ended, if not by the user.
func (s *Screen) Err() error { return s.err }
