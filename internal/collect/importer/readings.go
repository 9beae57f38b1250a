package importer

import (
	"slices"
	"time"

	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/collect/importer/detect"
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
	return p.named == "" && p.HostFrom != "--host" && p.HostFrom != "--map" && bearsHost(p.file.path) && key(own) != key(p.Host)
}

// refuse takes out of a reading what cannot be of one host: the one file that speaks against all others, else everything.
func refuse(list []*part) (refused []archive.Problem) {
	why, p, q := twoHosts(list)
	if why == "" {
		return nil
	}
	out := list
	if unnamed := unnamedOf(list, p, q); unnamed != nil {
		out = unnamed
		why = "outputs of " + p.file.path + " for which no prompt and no heading names a host are left out: " + why
	} else if odd := oddFile(list, p.file, q.file); odd != nil {
		out = slices.DeleteFunc(slices.Clone(list), func(p *part) bool { return p.file != odd })
		why = odd.path + " is left out: " + why
	}
	for _, p := range out {
		p.Stored, p.leftOut = false, true
	}
	refused = []archive.Problem{{File: list[0].Host, Why: why}}
	if len(out) == len(list) {
		return refused
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(p *part) bool { return !p.Stored })
	return append(refused, refuse(rest)...)
}

// unnamedOf are the outputs of a text that name no host themselves, where another operating system printed one of them than an output
// that does; nil if that is not what speaks against their being of one host.
func unnamedOf(list []*part, p, q *part) (out []*part) {
	systemOf := func(p *part) string {
		i := slices.IndexFunc(p.signs, func(s sign) bool { return s.class == systems })
		if i < 0 {
			return ""
		}
		return p.signs[i].value
	}
	if p.file != q.file || p.direct == q.direct || systemOf(p) == "" || systemOf(q) == "" || systemOf(p) == systemOf(q) {
		return nil
	}
	for _, r := range list {
		if r.file == p.file && !r.direct && r.found.ID != otherID {
			out = append(out, r)
		}
	}
	return out
}

// oddFile is the one of two files of different hosts that does not belong to the others; nil if nothing tells, or a
// person said that both do.
func oddFile(list []*part, a, b *file) *file {
	if list[0].HostFrom == "--host" || list[0].HostFrom == "--map" {
		return nil
	}
	if a == b {
		return a
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
	case plainlyNamed(a) && !plainlyNamed(b):
		return b
	case plainlyNamed(b) && !plainlyNamed(a):
		return a
	}
	return nil
}

// plainlyNamed reports whether a file's name says what is in it, and nothing else.
func plainlyNamed(f *file) bool { return stem(f.path) == "" }

// ownName reports whether a file gives the name of the host itself, in its text or in its own name.
func ownName(list []*part, f *file) bool {
	return slices.ContainsFunc(list, func(p *part) bool {
		return p.file == f && (p.named != "" && key(p.named) == key(p.Host) || key(stem(f.path)) == key(p.Host))
	})
}
