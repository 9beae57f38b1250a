package web

import (
	"maps"
	"net/url"
	"strconv"
	"strings"
)

// query holds what an address asks for. All that a page shows is in it.
type query struct {
	path   string
	values url.Values
}

// Path is the page.
func (q query) Path() string { return q.path }

// Get is a value; "" if there is none.
func (q query) Get(name string) string { return q.values.Get(name) }

// All are the values of one name.
func (q query) All(name string) []string { return q.values[name] }

// With is the address with other values: name, value, …; an empty value takes
// it away, and any change but that of the page begins with the first page.
func (q query) With(pairs ...string) string {
	v := url.Values{}
	maps.Copy(v, q.values)
	v.Del("page")
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Del(pairs[i])
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	if len(v) == 0 {
		return q.path
	}
	return q.path + "?" + v.Encode()
}

// words are those of the filter, in lower case.
func (q query) words() []string { return strings.Fields(strings.ToLower(q.Get("q"))) }

// matches says whether texts have every word; one after ! is not to be there.
func matches(words []string, texts ...string) bool {
	if len(words) == 0 {
		return true
	}
	all := strings.ToLower(strings.Join(texts, "\n"))
	for _, w := range words {
		want, not := strings.CutPrefix(w, "!")
		if strings.Contains(all, want) == not {
			return false
		}
	}
	return true
}

// Pager is a part of a long list.
type Pager struct {
	First, Last, Of int // the items shown, from 1
	Previous, Next  string
}

// chosen gives the part of a list, of what is wanted in it, that an address asks for.
func chosen[T any](q query, all []T, size int, wanted func(T) bool) ([]T, Pager) {
	var out []T
	for _, x := range all {
		if wanted(x) {
			out = append(out, x)
		}
	}
	return paged(q, out, size)
}

// paged gives the part of a list that an address asks for.
func paged[T any](q query, all []T, size int) ([]T, Pager) {
	n, err := strconv.Atoi(q.Get("page"))
	if err != nil || n < 1 || n > (len(all)+size-1)/size {
		n = 1
	}
	from, to := (n-1)*size, min(n*size, len(all))
	p := Pager{First: from + 1, Last: to, Of: len(all)}
	if n > 1 {
		p.Previous = q.With("page", strconv.Itoa(n-1))
	}
	if to < len(all) {
		p.Next = q.With("page", strconv.Itoa(n+1))
	}
	return all[from:to], p
}

// Heading is a column by which a list can be sorted.
type Heading struct {
	Name, Link string
	Sorted     string // ascending, descending or none, as aria-sort has it
	Number     bool
}

// headings are columns that sort the list; a second click turns the order
// round. Numbers begin with the greatest.
func (q query) headings(standard string, columns ...string) []Heading {
	by, down := q.order(standard)
	var out []Heading
	for _, c := range columns {
		name, number := strings.CutPrefix(c, "#")
		h := Heading{Name: name, Number: number, Sorted: "none"}
		turned := number
		if name == by {
			h.Sorted = "ascending"
			if down {
				h.Sorted = "descending"
			}
			turned = !down
		}
		order := "up"
		if turned {
			order = "down"
		}
		h.Link = q.With("sort", name, "order", order)
		out = append(out, h)
	}
	return out
}

// order is by which column a list is sorted, and whether downwards.
func (q query) order(standard string) (by string, down bool) {
	if q.Get("sort") == "" {
		return standard, true
	}
	return q.Get("sort"), q.Get("order") == "down"
}
