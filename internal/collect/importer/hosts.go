package importer

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/parse"

	"seaworthy/internal/collect/importer/archive"
	"seaworthy/internal/inventory/model"
)

// assign gives each output its host, and how that was found, and its reading of
// that host; what was not merged is in the problems. What the options do not
// give is found from texts, files and folders.
func assign(files []*file, o Options) (refused []archive.Problem) {
	given := o.Host
	claim(files)
	manifests(files)
	mapped(files, o.Map)
	renamed(files)
	unusable(files)
	s := hostNames{files: files, named: map[string]map[string]string{}, snaps: snaps(files), tools: toolFolders(files),
		weight: map[[2]string]int{}, styled: map[string]bool{}, hosts: map[[2]string]bool{}, folderStyled: map[string]bool{},
		called: map[[2]string]string{}, namers: map[[2]string]map[*file]bool{}, own: map[string]map[string]bool{}, ownBeside: map[string]int{}}
	for folder := range s.tools {
		s.snaps[folder] = true
	}
	s.collect()
	groups := map[string][]*part{} // by folder: what names no host
	for _, f := range files {
		for _, p := range f.parts {
			if p.found == nil && p.named == "" || p.Host != "" && (given == "" || hmc(p) || p.HostFrom == "--map") {
				continue
			}
			switch host, from := s.host(p); {
			case given != "" && !hmc(p):
				p.Host, p.HostFrom = given, "--host"
			case p.unclear != "":
				refused = append(refused, refuseUnclear(p, refused)...)
			case host != "":
				p.Host, p.HostFrom = host, from
			case p.found != nil:
				g := s.group(p)
				groups[g] = append(groups[g], p)
			}
		}
	}
	for folder, parts := range groups {
		s.unnamed(folder, parts)
	}
	for _, f := range files {
		for _, p := range f.parts {
			if model.MeansThisMachine(p.Host) {
				p.HostFrom = fmt.Sprintf("%s gives %s, which means any machine: use --host", p.HostFrom, p.Host)
				p.Host = noName
			}
		}
	}
	soleDevices(files)
	return append(refused, readings(files)...)
}

// refuseUnclear says of an output that may be of several hosts of its text what to do, once for each file.
func refuseUnclear(p *part, had []archive.Problem) []archive.Problem {
	p.leftOut = true
	p.Warnings = append(p.Warnings, "not stored: it may be of "+p.unclear+", and nothing says of which")
	if slices.ContainsFunc(had, func(q archive.Problem) bool { return q.File == p.file.path }) {
		return nil
	}
	names := strings.Split(p.unclear, " or ")
	why := fmt.Sprintf("outputs of %s stand in one text, and nothing says of which of them that in line %d is: such outputs are left out. "+
		"Put a line with the host's name above the outputs of each, as in \"--- %s ---\", or save them into a file for each host",
		inShort(names), p.Line, names[0])
	return []archive.Problem{{File: p.file.path, Why: why}}
}

// mostListed is how many hosts a message names.
const mostListed = 4

// inShort is the names of hosts in a message: all, or the first and how many others there are.
func inShort(names []string) string {
	if len(names) <= mostListed {
		return strings.Join(names, " and ")
	}
	return fmt.Sprintf("%s and %d other hosts", strings.Join(names[:mostListed-1], ", "), len(names)-mostListed+1)
}

// noName is the host of outputs that nothing names.
const noName = "unnamed"

// unusable takes away names of hosts that mean the machine on which they are used: a plan or
// a playbook for localhost would change the operator's own.
func unusable(files []*file) {
	for _, f := range files {
		for _, p := range f.parts {
			if model.MeansThisMachine(p.named) {
				p.named, p.namedBy = "", ""
			}
			if model.MeansThisMachine(p.known) {
				p.known = ""
			}
		}
	}
}

// manifests gives the files of a snapshot that was imported as a folder or
// packed what its manifest says of them.
func manifests(files []*file) {
	for _, m := range files {
		if m.manifest == nil {
			continue
		}
		records := map[string]int{}
		for i, r := range m.manifest.Commands {
			records[r.Stdout] = i
		}
		for _, f := range files {
			i, ok := records[path.Base(f.path)]
			if !ok || path.Dir(f.path) != path.Dir(m.path) || len(f.parts) != 1 || f.parts[0].found == nil {
				continue
			}
			r := &m.manifest.Commands[i]
			p := f.parts[0]
			p.record, p.manifest, p.when = r, m.manifest, m.manifest.Started
			p.Host, p.HostFrom = m.manifest.Host, "manifest beside it"
			p.found.ID = r.ID
			p.found.Element = r.Element
			p.found.Attribute = r.Attribute
			p.found.Command = r.Line
		}
	}
}

// renamed gives outputs below headings the name that the host has itself where
// another output below the same heading says it: dsh and ssh may know a host by
// its address or by an alias.
func renamed(files []*file) {
	own := map[string]*part{} // by the name in the heading; nil: several hosts have it, so it decides nothing
	for _, f := range files {
		for _, p := range f.parts {
			if p.known == "" || p.named == "" || p.named == p.known {
				continue
			}
			had, seen := own[p.known]
			if seen && (had == nil || key(had.named) != key(p.named)) {
				own[p.known] = nil
				continue
			}
			own[p.known] = p
		}
	}
	for _, f := range files {
		for _, p := range f.parts {
			if q := own[p.known]; q != nil && p.named == p.known {
				p.named, p.namedBy = q.named, q.namedBy
			}
		}
	}
}

// ofHMC reports whether an HMC printed an output: one of its own, or one that is not read among nothing but such.
func ofHMC(p *part) bool {
	if hmc(p) {
		return true
	}
	others := func(q *part) bool { return q.found != nil && q.found.ID != otherID && !hmc(q) }
	return p.found != nil && p.found.ID == otherID && slices.ContainsFunc(p.file.parts, hmc) && !slices.ContainsFunc(p.file.parts, others)
}

// mailName is the name of a file with a mail that says no more than that.
var mailName = parse.Lazy(`(?i)^(?:e?mails?|messages?|inbox|mbox)$`)

// mailEnding is what names of files with mails end in; those of hosts end in other words that names of files end in, too.
var mailEnding = parse.Lazy(`(?i)\.(?:eml|msg|mbox|txt)$`)

// folderName is the name of a folder, or that of a mail without what names of files end in; of a mail whose name is a word for what is in
// it, that of the folder in which it lies.
func folderName(dir, root string) string {
	base := path.Base(dir)
	bare := mailEnding.ReplaceAllString(base, "")
	if bare == base || bare == "" {
		return base
	}
	if dir != root && (describes(bare) || mailName.MatchString(bare)) {
		return path.Base(path.Dir(dir))
	}
	return bare
}

// unnamed gives the outputs of a folder in which nothing names a host the names
// of its files, or else its own.
func (s *hostNames) unnamed(folder string, parts []*part) {
	dir := strings.TrimPrefix(folder, "hmc ")
	name, from := undated(folderName(dir, parts[0].file.root)), "folder name"
	if s.tools[dir] != "" {
		name = bundleHost(name)
	}
	for d := range above(dir, parts[0].file.root) {
		if d != parts[0].file.root && !isPlain(d) && isPlain(dir) {
			name = undated(path.Base(d)) // srv/networking/ethtool.txt
			break
		}
	}
	switch file := parts[0].file; {
	case inTree(file.path) && !s.snaps[dir]:
		name = undated(folderName(aboveTree(file.path), file.root))
	case file.root == file.path:
		name, from = loneName(file.path), "file name"
	}
	if name == "." || name == "/" || name == "" || name == ".." {
		name, from = noName, "nothing names the host"
	}
	if from == "folder name" && dir == folder { // what an HMC prints names no host of the files beside it
		from += s.beside(dir)
	}
	var of map[*part]string
	how := ""
	ofOneHMC := ofHMC(parts[0]) && strings.Contains(strings.ToLower(name), "hmc") // its files are named after systems
	if !s.snaps[dir] && !ofOneHMC {
		of, how = byFileName(parts)
	}
	for _, p := range parts {
		p.Host, p.HostFrom = name, from
		if of[p] != "" {
			p.Host, p.HostFrom = of[p], how
		}
		if ofHMC(p) && !strings.Contains(strings.ToLower(p.Host), "hmc") {
			p.Host += "-hmc"
		}
	}
}
