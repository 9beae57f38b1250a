package importer

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
)

// candidateAt is a host that files below a folder name, for the files of one folder that name none.
type candidateAt struct{ dir, named, key string }

// opposition is what the files of a folder that name no host say for and against one that others name.
type opposition struct {
	against map[*file]string // why a file is not of that host
	agree   int              // files that have a MAC or an address of it
}

// mostCandidates bounds the hosts named in a folder of which each is compared with the files that name none.
const mostCandidates = 8

// namelessFiles are the files of which no output names a host, by folder, in the order of their paths.
func namelessFiles(files []*file) map[string][]*file {
	out := map[string][]*file{}
	for _, f := range files {
		if len(namedParts(f)) == 0 {
			out[path.Dir(f.path)] = append(out[path.Dir(f.path)], f)
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b *file) int { return cmp.Compare(a.path, b.path) })
	}
	return out
}

// opposition compares the files of a folder that name no host with the outputs of one that is named in it or above it.
func (s *hostNames) opposition(at candidateAt) *opposition {
	if had := s.opposed[at]; had != nil {
		return had
	}
	o := &opposition{against: map[*file]string{}}
	s.opposed[at] = o
	its := signTable{}
	for f := range s.namers[[2]string{at.named, at.key}] {
		for _, p := range f.parts {
			if p.named != "" && key(p.named) == at.key {
				its.add(p)
			}
		}
	}
	for _, f := range s.nameless[at.dir] {
		if slices.ContainsFunc(f.parts, func(p *part) bool { return its.agrees(p.signs) }) {
			o.agree++
			continue
		}
		if why := its.contradiction(f); why != "" {
			o.against[f] = why
		}
	}
	return o
}

// contradiction says what in a file cannot be of the host whose signs the table has; empty if there is nothing.
func (t signTable) contradiction(f *file) string {
	for _, p := range f.parts {
		for _, class := range []signClass{strict, macs, addresses, hardware, kernels, machines} {
			if had, value := t.against(p, class); had != nil {
				return fmt.Sprintf("%s is %s in %s and %s in %s", value.what, had.value, from(had.part), value.value, from(p))
			}
		}
	}
	its := signTable{}
	for _, p := range f.parts {
		its.add(p)
	}
	if why := t.lacks(its); why != "" {
		return why
	}
	return its.lacks(t)
}

// lacks says that other outputs speak of devices of which the table, that lists all of a host, has none.
func (t signTable) lacks(other signTable) string {
	all, others := t[signKey{listed, "the device"}], other[signKey{spoken, "the device"}]
	if len(all) == 0 || len(others) == 0 {
		return ""
	}
	for _, s := range others {
		if t.has(sign{listed, s.what, s.value}) {
			return ""
		}
	}
	return fmt.Sprintf("%s of %s is not among the devices in %s", others[0].value, from(others[0].part), from(all[0].part))
}

// unopposed are those of the hosts named in a folder of which a file that names none may be. A host that one file names,
// and that as many others contradict, names none of them: whose they are, nothing says. A folder of its name is its own.
func (s *hostNames) unopposed(f *file, named string, known map[string]string) map[string]string {
	if len(known) > mostCandidates {
		return known
	}
	out := map[string]string{}
	for k, name := range known {
		dir := path.Dir(f.path)
		o := s.opposition(candidateAt{dir, named, k})
		_, against := o.against[f]
		outnumbered := len(o.against) > 0 && len(o.against) >= len(s.namers[[2]string{named, k}])+o.agree
		if !against && (!outnumbered || hasWord(key(path.Base(dir)), k)) {
			out[k] = name
		}
	}
	return out
}

// supported is the one of several named hosts of which other files of the folder have a MAC or an address; else the one
// that several files name, beside a single file that names another; else the one of which a file is named after what is in it,
// as the file in question is. Empty if there is none.
func (s *hostNames) supported(f *file, named string, known map[string]string) (host, from string) {
	if len(known) > mostCandidates {
		return "", ""
	}
	var agreed, several, plain []string
	files := 0
	for k := range known {
		its := s.namers[[2]string{named, k}]
		files += len(its)
		if len(its) > 1 {
			several = append(several, k)
		}
		if s.opposition(candidateAt{path.Dir(f.path), named, k}).agree > 0 {
			agreed = append(agreed, k)
		}
		if plainlyNamed(f) && slices.ContainsFunc(slices.Collect(maps.Keys(its)), plainlyNamed) {
			plain = append(plain, k)
		}
	}
	switch {
	case len(agreed) == 1:
		return known[agreed[0]], "the only host in " + named + " of which other files have a MAC or an address"
	case len(several) == 1 && files-len(s.namers[[2]string{named, several[0]}]) == 1:
		return known[several[0]], "most files in " + named
	case len(plain) == 1:
		return known[plain[0]], "the only host in " + named + " that a file named after its command names"
	}
	return "", ""
}

// opposing says why files of a folder are not of a host that is named there; empty if nothing speaks against one.
func (s *hostNames) opposing(folder string) string {
	for _, f := range s.nameless[folder] {
		for at, o := range s.opposed {
			if at.dir == folder && o.against[f] != "" {
				return ": " + o.against[f]
			}
		}
	}
	return ""
}
