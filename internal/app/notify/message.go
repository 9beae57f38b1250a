package notify

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Schema names the format of a Message.
const Schema = "seaworthy.notification/1"

// Item is a finding, or a value that is not as wanted.
type Item struct {
	ID        string `json:"id"` // the same over audits: R001/lpar1:en0
	Host      string `json:"host"`
	Element   string `json:"element,omitempty"`
	Rule      string `json:"rule,omitempty"`
	Severity  string `json:"severity,omitempty"`
	Title     string `json:"title"`
	Attribute string `json:"attribute,omitempty"` // of drift
	Want      string `json:"want,omitempty"`
	Running   string `json:"running,omitempty"`
	NextBoot  string `json:"next_boot,omitempty"`
}

// Message is what a receiver gets. Its lists are never nil.
type Message struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"` // of what is new and gone: a message that comes twice has the same
	Version string    `json:"version"`
	Time    time.Time `json:"time"`
	Source  string    `json:"source"` // audit, drift
	New     []Item    `json:"new"`
	Gone    []Item    `json:"gone"`
	More    int       `json:"more"` // messages that follow
}

// Present is what holds now.
type Present struct {
	Source  string
	Version string // of the program
	Time    time.Time
	Items   []Item
	// Judged says that an item that is not among Items holds no more; false: it is not known.
	Judged func(Item) bool
}

// mostItems is how many items a message has.
const mostItems = 500

// messages are what a receiver that knows some items has to be told, and what it knows after each.
func (p Present) messages(known map[string]Item) []step {
	now := map[string]Item{}
	for _, x := range p.Items {
		now[x.ID] = x
	}
	var changes []change
	for _, id := range slices.Sorted(maps.Keys(now)) {
		_, was := known[id]
		if !was {
			changes = append(changes, change{now[id], true})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		_, is := now[id]
		if !is && p.Judged(known[id]) {
			changes = append(changes, change{known[id], false})
		}
	}
	var out []step
	for some := range slices.Chunk(changes, mostItems) {
		out = append(out, step{changes: some})
	}
	for i := range out {
		out[i].message = p.message(out[i].changes)
		out[i].message.More = len(out) - 1 - i
	}
	return out
}

// change is an item that is new, or gone.
type change struct {
	Item
	fresh bool
}

// step is a message with what it tells.
type step struct {
	message Message
	changes []change
}

func (p Present) message(changes []change) Message {
	m := Message{Schema: Schema, Version: p.Version, Time: p.Time.UTC(), Source: p.Source, New: []Item{}, Gone: []Item{}}
	sum := sha256.New()
	for _, c := range changes {
		fmt.Fprintf(sum, "%t %q\n", c.fresh, c.ID)
		if c.fresh {
			m.New = append(m.New, c.Item)
		} else {
			m.Gone = append(m.Gone, c.Item)
		}
	}
	m.ID = fmt.Sprintf("%x", sum.Sum(nil)[:16])
	return m
}

// told is what a receiver knows after a message.
func (s step) told(known map[string]Item) {
	for _, c := range s.changes {
		if c.fresh {
			known[c.ID] = c.Item
		} else {
			delete(known, c.ID)
		}
	}
}

// text is a message as it is sent.
func (m Message) text() ([]byte, error) {
	var b strings.Builder
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	err := to.Encode(m)
	return []byte(b.String()), err
}

// byID sorts items.
func byID(a, b Item) int { return cmp.Compare(a.ID, b.ID) }
