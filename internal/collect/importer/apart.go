package importer

import (
	"path"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/parse/registry"
)

// conflict counts, for one folder, the files that only one operating system can have printed.
type conflict struct {
	unnamed map[registry.Family]int // files that name no host
	named   registry.Family         // the system of the hosts that the others name; empty: they do not tell, or differ
	files   int                     // that name a host
}

// conflicts are the folders in which files that name no host lie beside those that do, and the system of each named host.
func (s *hostNames) conflicts() (folders map[string]*conflict, systems map[string]registry.Family) {
	folders, systems = map[string]*conflict{}, map[string]registry.Family{}
	named := map[string]map[string][]*part{} // by folder and host
	for _, f := range s.files {
		dir, tool := s.folder(f)
		if tool {
			continue // one host's, whatever it copied
		}
		c := folders[dir]
		if c == nil {
			c = &conflict{unnamed: map[registry.Family]int{}}
			folders[dir] = c
			named[dir] = map[string][]*part{}
		}
		if hosts := namedParts(f); len(hosts) > 0 {
			for host, parts := range hosts {
				named[dir][host] = append(named[dir][host], parts...)
			}
			c.files++
		} else if system := systemOf(f); system != "" {
			c.unnamed[system]++
		}
	}
	for dir, hosts := range named {
		all := map[registry.Family]bool{}
		for host, parts := range hosts {
			got := registry.Family("")
			if is := decidePlatform(votes(parts)); is != string(model.Unknown) {
				got = vote{family: registry.Family(is)}.system()
				systems[host] = got
			}
			all[got] = true
			folders[dir].named = got
		}
		if len(all) != 1 {
			folders[dir].named = ""
		}
	}
	return folders, systems
}

// namedParts are the outputs of a file by the host that each names; none if it names no host.
func namedParts(f *file) map[string][]*part {
	hosts := map[string][]*part{}
	for _, p := range f.parts {
		if p.named == "" || hmc(p) {
			continue
		}
		k := key(p.named)
		if hosts[k] == nil {
			hosts[k] = []*part{}
		}
		if p.found != nil {
			hosts[k] = append(hosts[k], p)
		}
	}
	return hosts
}

// leastRead is the percentage of an output's lines that must be read before it proves that another system printed it.
const leastRead = 90

// systemOf is the operating system that alone prints a file's outputs; empty if another may as well, or if they disagree.
func systemOf(f *file) (system registry.Family) {
	for _, p := range f.parts {
		if !provesSystem(p) {
			continue
		}
		its := vote{family: p.found.Family}.system()
		if system != "" && system != its {
			return ""
		}
		system = its
	}
	return system
}

// provesSystem reports whether only one operating system prints such an output.
func provesSystem(p *part) bool {
	f := p.found
	switch {
	case f == nil, f.Family == "", f.Family == registry.HMC, f.ID == otherID:
		return false
	case couldBeOthers[f.ID] && (p.Command == "" || bothHave[f.ID]):
		return false
	}
	return f.Known && p.Lines > 1 && p.Understood*100 >= p.Lines*leastRead
}

// leastOfSystem is how many lines an output must have before it speaks against another of the same text.
const leastOfSystem = 3

// noteSystem keeps which operating system printed an output, as a sign of its host, where only one prints it.
func (p *part) noteSystem() {
	names := p.found != nil && namesSystem[p.found.ID]
	if !names && (p.Lines < leastOfSystem || !provesSystem(p)) {
		return
	}
	switch (vote{family: p.found.Family}).system() {
	case registry.AIX:
		p.signs = append(p.signs, sign{systems, "the system", "AIX"})
	case registry.Linux:
		p.signs = append(p.signs, sign{systems, "the system", "Linux"})
	}
}

// likelySystem is the operating system that printed a file: its own, else that of most files beside it that name no host.
func (s *hostNames) likelySystem(f *file) registry.Family {
	if system := systemOf(f); system != "" {
		return system
	}
	c := s.folders[path.Dir(f.path)]
	if c == nil {
		return ""
	}
	for _, system := range []registry.Family{registry.Linux, registry.AIX} {
		if n := c.unnamed[system]; n > 0 && n == max(c.unnamed[registry.Linux], c.unnamed[registry.AIX]) {
			return system
		}
	}
	return ""
}

// ofItsSystem are those of several hosts that may run the system that printed a file.
func (s *hostNames) ofItsSystem(f *file, known map[string]string) map[string]string {
	system := s.likelySystem(f)
	if len(known) < 2 || system == "" {
		return known
	}
	out := map[string]string{}
	for k, name := range known {
		if its := s.systems[k]; its == "" || its == system {
			out[k] = name
		}
	}
	if len(out) == 0 {
		return known
	}
	return out
}

// ofAnotherSystem reports whether an output that names no host cannot be of the host that the files beside it name:
// another operating system printed it. Texts that are no output at all are rather taken for one of AIX than of Linux: of
// those more files must say so than name the host.
func (s *hostNames) ofAnotherSystem(p *part) bool {
	c := s.folders[path.Dir(p.file.path)]
	if c == nil || c.named == "" {
		return false
	}
	system := s.likelySystem(p.file)
	if system == "" || system == c.named {
		return false
	}
	of, by := c.unnamed[system], c.files+c.unnamed[c.named]
	return of > by || of == by && system == registry.Linux
}
