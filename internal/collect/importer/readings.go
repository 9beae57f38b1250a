package importer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// readings parts the outputs of each host by the times at which they were
// taken, and decides which of them are stored. Two identities in one of them
// are a problem, and nothing of it is stored.
func readings(files []*file) (refused []archive.Problem) {
	hosts := map[string][]*part{}
	var keys []string
	for _, f := range files {
		for _, p := range f.parts {
			if p.found == nil || p.Host == "" {
				continue
			}
			k := key(p.Host)
			if hosts[k] == nil {
				keys = append(keys, k)
			}
			hosts[k] = append(hosts[k], p)
		}
	}
	for _, k := range keys {
		var lists [][]*part
		for _, list := range byTime(hosts[k]) {
			lists = append(lists, byPhase(list)...)
		}
		for n, list := range lists {
			for _, p := range list {
				p.Stored, p.reading = true, n
			}
			refused = append(refused, refuse(list)...)
			clashes(slices.DeleteFunc(slices.Clone(list), func(p *part) bool { return !p.Stored }))
		}
	}
	return refused
}

// apart is how far two times must lie apart to be those of two readings.
const apart = time.Minute

// byTime parts the outputs of one host: a new reading begins where one is of a
// later time than another of the same. Outputs without a time belong to the
// last reading.
func byTime(parts []*part) [][]*part {
	list := slices.Clone(parts)
	slices.SortStableFunc(list, func(p, q *part) int {
		if p.when.IsZero() == q.when.IsZero() {
			return p.when.Compare(q.when)
		}
		return q.when.Compare(p.when) // the zero time last
	})
	out := [][]*part{nil}
	had := map[string]*part{}
	for _, p := range list {
		q := had[slot(p)]
		if q != nil && !p.when.IsZero() && p.when.Sub(q.when) > apart && !detect.Repeats(p.found.ID) && objects(p) == objects(q) {
			out = append(out, nil)
			clear(had)
		}
		had[slot(p)] = p
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// clashes decides between two outputs for one slot of a reading: the same text
// is taken once; of two that differ the later one is.
func clashes(parts []*part) {
	seen := map[string]*part{}
	for _, p := range parts {
		q := seen[slot(p)]
		switch {
		case q == nil:
			seen[slot(p)] = p
		case q.digest == p.digest:
			p.Stored = false
			p.Warnings = append(p.Warnings, "the same text as in "+q.file.path+": taken once")
		case joins(p, q), p.ofValue && q.ofValue:
		case saysOther(q) && !saysOther(p):
			q.Stored, q.superseded = false, true
			q.Warnings = append(q.Warnings, "not stored: its file is named after another host, unlike "+p.file.path+" of the same")
			seen[slot(p)] = p
		case saysOther(p) && !saysOther(q):
			p.Stored, p.superseded = false, true
			p.Warnings = append(p.Warnings, "not stored: its file is named after another host, unlike "+q.file.path+" of the same")
		case q.file == p.file || !p.file.time.Before(q.file.time):
			q.Stored, q.superseded = false, true
			q.Warnings = append(q.Warnings, "not stored: "+p.file.path+" has a later reading of the same")
			seen[slot(p)] = p
		default:
			p.Stored, p.superseded = false, true
			p.Warnings = append(p.Warnings, "not stored: "+q.file.path+" has a later reading of the same")
		}
	}
}

// saysOther reports whether the name of an output's file has the form of another host's, and no text says whose it is.
func saysOther(p *part) bool {
	own := stem(p.file.path)
	return p.named == "" && p.HostFrom != "--host" && p.HostFrom != "--map" && hostish.MatchString(own) && key(own) != key(p.Host)
}

// sign holds what only one host has: its partition's number, the MAC of an adapter.
type sign struct{ what, value string }

// refuse takes out of a reading what cannot be of one host: the one file that speaks against all others, else everything.
func refuse(list []*part) (refused []archive.Problem) {
	why, p, q := twoHosts(list)
	if why == "" {
		return nil
	}
	out := list
	if odd := oddFile(list, p.file, q.file); odd != nil {
		out = slices.DeleteFunc(slices.Clone(list), func(p *part) bool { return p.file != odd })
		why = odd.path + " is left out: " + why
	}
	for _, p := range out {
		p.Stored = false
	}
	refused = []archive.Problem{{File: list[0].Host, Why: why}}
	if len(out) == len(list) {
		return refused
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(p *part) bool { return !p.Stored })
	return append(refused, refuse(rest)...)
}

// oddFile is the one of two files of different hosts that does not belong to the others; nil if nothing tells, or a
// person said that both do.
func oddFile(list []*part, a, b *file) *file {
	if a == b || list[0].HostFrom == "--host" || list[0].HostFrom == "--map" {
		return nil
	}
	without := func(f *file) []*part {
		return slices.DeleteFunc(slices.Clone(list), func(p *part) bool { return p.file == f })
	}
	againstA, _, _ := twoHosts(without(b))
	againstB, _, _ := twoHosts(without(a))
	switch {
	case againstA == "" && againstB != "":
		return b
	case againstB == "" && againstA != "":
		return a
	}
	aSays, bSays := ownName(list, a), ownName(list, b)
	switch {
	case aSays && !bSays:
		return b
	case bSays && !aSays:
		return a
	}
	return nil
}

// ownName reports whether a file gives the name of the host itself, in its text or in its own name.
func ownName(list []*part, f *file) bool {
	return slices.ContainsFunc(list, func(p *part) bool {
		return p.file == f && (p.named != "" && key(p.named) == key(p.Host) || key(stem(f.path)) == key(p.Host))
	})
}

// twoHosts says which two outputs of what would be one host cannot be of one; empty
// if nothing speaks against it.
func twoHosts(parts []*part) (why string, one, other *part) {
	seen := map[string]*part{}
	values := map[string]string{}
	for _, p := range parts {
		for _, s := range p.signs {
			if had, ok := values[s.what]; ok && !strings.EqualFold(had, s.value) {
				why = fmt.Sprintf("not merged, these are outputs of two hosts: %s is %s in %s and %s in %s. Put the files of each host "+
					"into a folder of its own, or import them one by one with --host", s.what, had, from(seen[s.what]), s.value, from(p))
				return why, seen[s.what], p
			}
			values[s.what], seen[s.what] = s.value, p
		}
	}
	return "", nil, nil
}

// signs identify the host of an output. The words are looked for first: that costs a fraction
// of the pattern. The last group is the value; what several of a host have is followed by the first.
var signs = []struct {
	what  string
	words []string
	at    *parse.Pattern
	many  bool
}{
	{"the partition's number", []string{"Partition Number"}, parse.Lazy(`(?m)^Partition Number[ \t]*:[ \t]*(\d+)`), false},
	{"the machine's serial number", []string{"Machine Serial Number", "IBM,"},
		parse.Lazy(`(?m)(?:^Machine Serial Number:[ \t]*|\bIBM,\d\d)(\w{7})\b`), false},
	{"the MAC of ent", []string{"ETHERNET STATISTICS"}, parse.Lazy(`(?m)^ETHERNET STATISTICS \(ent?(\d+)\)[^\n]*\n(?:[^\n]*\n){0,3}?` +
		`Hardware Address:[ \t]*([0-9A-Fa-f:]{17})`), true},
	{"the MAC of ent", []string{"link#"}, parse.Lazy(`(?m)^en(\d+)\*?[ \t]+\d+[ \t]+link#\d+[ \t]+` +
		`([0-9a-f]{1,2}(?:\.[0-9a-f]{1,2}){5})[ \t]`), true},
}

// signsOf finds what an output says that only one host can be.
func signsOf(f *detect.Found, text []byte) (out []sign) {
	if f.Family == registry.HMC { // it speaks of many
		return nil
	}
	if f.Host != "" && strings.HasPrefix(f.HostFrom, "node name") {
		out = append(out, sign{"the node name", key(strings.Clone(f.Host))})
	}
	for _, s := range signs {
		switch {
		case !slices.ContainsFunc(s.words, func(w string) bool { return bytes.Contains(text, []byte(w)) }):
		case s.many:
			for _, m := range s.at.Regexp().FindAllSubmatch(text, maxListed) {
				out = append(out, sign{s.what + string(m[1]), plainMAC(string(m[2]))})
			}
		default:
			if m := s.at.Regexp().FindSubmatch(text); m != nil {
				out = append(out, sign{s.what, string(m[1])})
			}
		}
	}
	return out
}

// plainMAC writes a MAC in one form, of netstat's fa.c2.11.4c.20.2 too.
func plainMAC(s string) string {
	parts := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return c == '.' || c == ':' })
	for i, p := range parts {
		parts[i] = ("0" + p)[len(p)-1:]
	}
	return strings.Join(parts, ":")
}
