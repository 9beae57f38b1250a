package redact

import (
	_ "embed"
	"maps"
	"strings"
	"sync"

	"seaworthy/internal/collect"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/aix/hmc"
)

// kind replaces one kind of identity.
type kind func(Key, string) string

// label is a place where an output says of what kind a word is. Group 1 is the
// word.
type label struct {
	of    kind
	at    *parse.Pattern
	local bool // it says nothing about the same word elsewhere
	free  bool // people fill the field: only whole known words stay
}

func keep(_ Key, s string) string { return s }

// names replaces each word of a name, unless it says that there is none.
func names(k Key, s string) string {
	return nameWord.Regexp().ReplaceAllStringFunc(s, func(w string) string {
		if nothing[w] || len(w) < 6 && strings.Trim(w, "0123456789") == "" {
			return w
		}
		return k.Name(w)
	})
}

var (
	nameWord = parse.Lazy(`[^\s.(),:'"/][^\s(),:'"/]*`)
	nothing  = map[string]bool{"-": true, "--": true, "null": true, "none": true, "all": true, "None": true, "N/A": true, "localhost": true,
		"root": true, "padmin": true}
)

// labels.txt holds the labels of all outputs: a kind and a pattern each.
//
//go:embed labels.txt
var labelList string

var said = sync.OnceValue(func() (out []label) {
	kinds := map[string]kind{
		"name": names, "serial": Key.Serial, "hex": Key.Hex, "mac": Key.mac, "network": Key.network, "keep": keep, "part": Key.part,
	}
	for l := range strings.Lines(labelList) {
		if kind, pattern, ok := strings.Cut(strings.TrimSuffix(l, "\n"), "\t"); ok {
			of, _, here := strings.Cut(kind, " ")
			out = append(out, label{of: kinds[of], at: parse.Lazy(pattern), local: here, free: of == "free"})
		}
	}
	return out
})

// Redactor replaces with one key what it learned from some hosts, and whatever
// is not known to be harmless.
type Redactor struct {
	key     Key
	known   map[string]kind // lower case
	common  map[string]bool // names replaced only where they are said to be names
	longest int             // parts of the longest that is known
}

// New makes a redactor that has learned nothing yet.
func New(k Key) *Redactor {
	return &Redactor{key: k, known: map[string]kind{}, common: map[string]bool{}, longest: 1}
}

// Clone is a redactor that knows the same, and learns by itself from then on.
func (r *Redactor) Clone() *Redactor {
	return &Redactor{key: r.key, known: maps.Clone(r.known), common: maps.Clone(r.common), longest: r.longest}
}

// Name replaces a host's name.
func (r *Redactor) Name(s string) string { return r.key.Name(s) }

// Learn takes the names and numbers that a text says are such.
func (r *Redactor) Learn(text []byte) {
	s := string(text)
	for _, l := range said() {
		if l.local {
			continue
		}
		for _, m := range l.at.Regexp().FindAllStringSubmatch(s, -1) {
			for w := range strings.FieldsSeq(m[1]) { // a partition's name may have several words
				r.learn(w, l.of)
			}
		}
	}
	for _, m := range macShape.Regexp().FindAllString(s, -1) {
		r.learn(withoutSeparators(m), Key.mac)
	}
}

// withoutSeparators gives the twelve digits of a MAC.
func withoutSeparators(mac string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(mac, func(c rune) bool { return strings.ContainsRune(":-.", c) }) {
		b.WriteString(strings.Repeat("0", 2-len(part)) + part)
	}
	return b.String()
}

// LearnName takes a host's or a user's name.
func (r *Redactor) LearnName(s string) { r.learn(s, names) }

// learn takes a word, and of lpar1.example.com also its first label. A name that
// is also a word of the outputs is one only where they say so.
func (r *Redactor) learn(s string, of kind) {
	s = strings.Trim(strings.ToLower(s), `.,:()'"`)
	switch {
	case s == "" || nothing[s] || len(s) < 6 && strings.Trim(s, "0123456789") == "" || strings.Trim(s, "0") == "":
		return
	case harmless(s) && strings.Trim(s, "0123456789") != "" || len(s) < 3:
		r.common[s] = true
		return
	}
	r.known[s] = of
	r.longest = max(r.longest, len(separator.Regexp().Split(s, -1)))
	if label, _, ok := strings.Cut(s, "."); ok {
		r.learn(label, of)
	}
}

// table takes what only its column shows to be a name or a number: the lists of
// an HMC without the columns' names beside the values.
func (r *Redactor) table(rec *collect.Record, text []byte) {
	l, err := hmc.Read(rec.Line, text)
	if err != nil || !strings.HasPrefix(rec.ID, "hmc-") {
		return
	}
	for _, x := range l.Records {
		for _, f := range x.Fields {
			r.Learn([]byte("," + f.Name + "=" + f.Value))
		}
	}
}
