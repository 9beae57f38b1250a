package registry

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"seaworthy/internal/base/decode"
)

//go:embed *.yaml
var files embed.FS

// order is the order of the files, which is that of the entries.
var order = []string{"statistics", "aix", "vios", "hmc", "linux", "recognised", "foreign", "kept"}

// Entries are all kinds of output. They must not be changed.
var Entries = sync.OnceValue(func() []*Entry {
	lists := make([][]*Entry, len(order))
	var wait sync.WaitGroup
	for i, name := range order {
		wait.Go(func() {
			text, err := files.ReadFile(name + ".yaml")
			if err == nil {
				lists[i], err = decodeEntries(name+".yaml", text)
			}
			if err != nil { // built in, like an expression that does not compile
				panic(fmt.Errorf("registry: %w", err))
			}
		})
	}
	wait.Wait()
	return slices.Concat(lists...)
})

// decodeEntries reads entries and gives them the functions that they name.
func decodeEntries(name string, text []byte) ([]*Entry, error) {
	var entries []*Entry
	if err := decode.YAML(name, text, &entries); err != nil {
		return nil, err
	}
	for _, e := range entries {
		e.Parse, e.Fits, e.Unmarked = codecs[e.Codec], tests[e.Test], requests[e.Request]
		if e.Has != nil {
			e.Fits = columns(e.Has, e.Lacks)
		}
		if e.Unlike != nil {
			others := slices.DeleteFunc(slices.Clone(entries), func(o *Entry) bool { return !slices.Contains(e.Unlike, o.ID) })
			e.Fits = unlike(e.Fits, others)
		}
		if e.Codec != "" && e.Parse == nil || e.Test != "" && e.Fits == nil || e.Request != "" && e.Unmarked == nil {
			return nil, fmt.Errorf("%s: no codec %q, test %q or request %q", e.ID, e.Codec, e.Test, e.Request)
		}
		for i := range e.Asks {
			if e.Asks[i].Limit == 0 {
				e.Asks[i].Limit = Quick
			}
		}
	}
	return entries, nil
}

var byID = sync.OnceValue(func() map[string]*Entry {
	m := map[string]*Entry{}
	for _, e := range Entries() {
		if m[e.ID] == nil {
			m[e.ID] = e
		}
	}
	return m
})

// Find gives an entry by its id; nil if there is none.
func Find(id string) *Entry { return byID()[id] }

// Asked is an Ask with the id of its entry.
type Asked struct {
	ID string
	Ask
}

// Asks are the command lines for a way to log in and a scope.
func Asks(on On, of Scope) []Asked {
	var out []Asked
	for _, e := range Entries() {
		for _, a := range e.Asks {
			if a.On&on != 0 && a.Of == of {
				out = append(out, Asked{e.ID, a})
			}
		}
	}
	return out
}
