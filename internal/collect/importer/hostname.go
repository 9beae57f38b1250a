package importer

import (
	"iter"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/parse"
	"seaworthy/internal/parse/registry"
)

// hostNames holds what the files of an import say about hosts.
type hostNames struct {
	files []*file
	named map[string]map[string]string // folder → host's key → its name
	snaps map[string]bool              // folders that are one host's: of a snap, of a sosreport
	// weight is how many outputs in a folder name the host, by folder and key.
	weight map[[2]string]int
	tools  map[string]string // those of a support tool, by folder: sosreport, supportconfig
	// styled are folders whose files are named after their hosts: one bears the name
	// that its text gives, or two names are each on several files.
	styled map[string]bool
	// folderStyled are folders of which one holds the outputs of the host whose name it bears: the others beside it do as well.
	folderStyled map[string]bool
	// hosts are the files in folders named after commands that are named after their hosts, by folder and key.
	hosts map[[2]string]bool
	// called is the name that a text gives, by folder and the file name's host.
	called map[[2]string]string
	// folders says of which systems the files in each folder are.
	folders map[string]*conflict
	systems map[string]registry.Family // of the hosts, by key
	// namers are the files that name a host, by folder and key; own are the folders that bear a host's name, by its key;
	// ownBeside counts those by the folder that they lie in.
	namers    map[[2]string]map[*file]bool
	own       map[string]map[string]bool
	ownBeside map[string]int
	nameless  map[string][]*file          // files that name no host, by folder
	opposed   map[candidateAt]*opposition // what they say against a host that is named there
}

// snapFile is a file that every snap has under a folder of its name:
// general/general.snap, tcpip/tcpip.snap.
var snapFile = parse.Lazy(`^(.*?)(?:^|/)(\w+)/(\w+)\.snap$`)

// snaps are the folders that hold an unpacked snap: each is one host's.
func snaps(files []*file) map[string]bool {
	roots := map[string]bool{}
	for _, f := range files {
		if m := snapFile.FindStringSubmatch(f.path); m != nil && m[2] == m[3] {
			roots[m[1]] = true
		}
	}
	return roots
}

// folder is the folder whose files are taken to be of one host, and whether it
// is a snap's.
func (s *hostNames) folder(f *file) (folder string, snap bool) {
	dir := path.Dir(f.path)
	for d := range above(dir, "") {
		if s.snaps[d] {
			return d, true
		}
	}
	return dir, false
}

// above yields a folder and its parents, up to root.
func above(dir, root string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(dir) && dir != root && len(dir) > len(root) && dir != path.Dir(dir) {
			dir = path.Dir(dir)
		}
	}
}

func (s *hostNames) collect() {
	s.style()
	s.folders, s.systems = s.conflicts()
	s.nameless, s.opposed = namelessFiles(s.files), map[candidateAt]*opposition{}
	for _, f := range s.files {
		foreign := foreignToTool(f)
		for _, p := range f.parts {
			if p.named == "" || hmc(p) || foreign {
				continue
			}
			own := key(stem(f.path))
			s.called[[2]string{path.Dir(f.path), own}] = p.named
			if own == key(p.named) {
				s.styled[path.Dir(f.path)] = true
			}
			dir, _ := s.folder(f)
			for d := range above(dir, f.root) {
				s.weight[[2]string{d, key(p.named)}]++
				s.note(f, d, p.named)
				if s.named[d] == nil {
					s.named[d] = map[string]string{}
				}
				if k := key(p.named); len(p.named) > len(s.named[d][k]) {
					s.named[d][k] = p.named
				}
				// A prompt names the host of its own folder, and in a folder of the host's name lies no other host.
				if p.namedBy == "prompt" || key(path.Base(d)) == key(p.named) {
					break
				}
				if d != f.root && key(stem(d)) == key(p.named) {
					s.folderStyled[path.Dir(d)] = true
					break
				}
			}
		}
	}
}

// foreignToTool reports whether outputs of AIX lie in the folder of a support tool of Linux: they name no host of the others.
func foreignToTool(f *file) bool {
	return toolOf(f.path) != "" && slices.ContainsFunc(f.parts, func(p *part) bool {
		return p.found != nil && (p.found.Family == registry.AIX || p.found.Family == registry.VIOS)
	})
}

// style finds the folders in which two names of hosts are each on several files. A name without a digit is one where every file of
// its folder bears one of several names, of which one has the form of a host's, or where each file bears a name and nothing else,
// of which two have that form.
func (s *hostNames) style() {
	type folder struct {
		files int
		names map[string]int // files of each name
		like  map[string]bool
		whole int // files whose name is nothing but that
	}
	folders := map[string]*folder{}
	for _, f := range s.files {
		if !slices.ContainsFunc(f.parts, func(p *part) bool { return p.found != nil }) {
			continue
		}
		dir := path.Dir(f.path)
		if folders[dir] == nil {
			folders[dir] = &folder{names: map[string]int{}, like: map[string]bool{}}
		}
		own := key(stem(f.path))
		folders[dir].files++
		folders[dir].names[own]++
		folders[dir].like[own] = folders[dir].like[own] || bearsHost(f.path)
		if strings.EqualFold(stem(f.path), ending.ReplaceAllString(path.Base(f.path), "")) {
			folders[dir].whole++
		}
	}
	for dir, d := range folders {
		delete(d.names, "")
		shared, alike := 0, 0
		files, like := 0, 0
		for own, n := range d.names {
			files += n
			if n > 1 {
				shared++
			}
			if d.like[own] {
				like++
			}
			if n > 1 && d.like[own] {
				alike++
			}
		}
		s.styled[dir] = s.styled[dir] || alike > 1
		several := alike > 0 && shared > 1 && shared == len(d.names) && files == d.files
		each := like > 1 && d.whole == d.files && len(d.names) == d.files
		if several || each {
			s.styled[dir] = true
			for own := range d.names {
				s.hosts[[2]string{dir, own}] = true
			}
		}
	}
	s.styleCommands()
}

// styleCommands finds the folders that are named after commands and hold a file for each host, as ansible --tree writes them: the
// files of several such folders beside each other have the same names.
func (s *hostNames) styleCommands() {
	folders := map[string]map[string]map[string]bool{} // by the folder around those of the commands, and the file's name
	for _, f := range s.files {
		dir, base := path.Dir(f.path), stem(f.path)
		around := path.Dir(dir)
		if !s.afterCommand(f) || base == "" {
			continue
		}
		if folders[around] == nil {
			folders[around] = map[string]map[string]bool{}
		}
		if folders[around][base] == nil {
			folders[around][base] = map[string]bool{}
		}
		folders[around][base][dir] = true
	}
	for _, names := range folders {
		for base, dirs := range names {
			for dir := range dirs {
				if len(dirs) > 1 || len(names) > 1 && hostish.MatchString(base) {
					s.styled[dir] = true
					s.hosts[[2]string{dir, key(base)}] = true
				}
			}
		}
	}
}

// afterCommand reports whether a file lies in a folder that is named after a command line.
func (s *hostNames) afterCommand(f *file) bool {
	dir := path.Dir(f.path)
	folder := path.Base(dir)
	return dir != f.root && stem(folder) == "" && detect.NamesProgram(strings.ReplaceAll(folder, "_", " "))
}

// loggedIn are the ways of naming a host that name the HMC on which a command ran, not a partition of which it tells.
var loggedIn = map[string]bool{"prompt": true, "command line": true, "name before each line": true, "heading of ansible": true}

// host finds the host of an output from what names one.
func (s *hostNames) host(p *part) (host, from string) {
	if hmc(p) {
		if loggedIn[p.namedBy] {
			return p.named, p.namedBy
		}
		return "", ""
	}
	dir, snap := s.folder(p.file)
	if p.named != "" {
		return p.named, p.namedBy
	}
	own := stem(p.file.path)
	isHost := bearsHost(p.file.path) || s.hosts[[2]string{dir, key(own)}]
	if name := s.named[dir][key(own)]; name != "" && !snap && s.styled[dir] && isHost {
		return name, "file name"
	}
	if !snap && s.styled[dir] && isHost {
		if name := s.called[[2]string{dir, key(own)}]; name != "" {
			return name, "file name, which another file of the host shares"
		}
		if k, _ := keyIn(strings.ToLower(path.Base(p.file.path)), s.named[dir]); k != "" { // db4_all.txt beside db4.nmon
			return s.named[dir][k], "file name"
		}
		return own, "file name, as others beside it have their host's"
	}
	apart := s.ofAnotherSystem(p)
	for d := range above(dir, p.file.root) {
		if own := stem(d); s.folderStyled[path.Dir(d)] && len(s.named[d]) == 0 && hostish.MatchString(own) {
			return own, "folder name, as others beside it have their host's"
		}
		known := s.ofItsSystem(p.file, s.named[d])
		if apart && len(known) == 1 {
			return "", ""
		}
		named := len(known)
		if !snap {
			known = s.unopposed(p.file, d, known)
		}
		if named > 0 && len(known) == 0 {
			return "", ""
		}
		if len(known) > 1 {
			return s.among(p, d, known, apart)
		}
		for _, name := range known {
			switch {
			case s.misplaced(d, name), !snap && s.fromElsewhere(p.file, d, name), !snap && d != dir && s.twin(p.file, d, name):
				return "", ""
			case snap && d == dir && s.tools[d] != "":
				return name, "the only host that the " + s.tools[d] + " names"
			case snap && d == dir:
				return name, "the only host that the snap names"
			case named > 1:
				return name, "the only host named in " + d + " that nothing speaks against"
			}
			return name, "the only host named in " + d
		}
	}
	return "", ""
}

// among finds which of several hosts that are named in a folder an output is of that names none.
func (s *hostNames) among(p *part, dir string, known map[string]string, apart bool) (host, from string) {
	if host, from := s.inName(p, known); host != "" || apart {
		return host, from
	}
	if most := s.most(dir, known); most != "" {
		return most, "most outputs in " + dir
	}
	return s.supported(p.file, dir, known)
}

// mostOutputs is how many outputs must name a host, for each that names another one, so that the rest of a folder is its own.
const mostOutputs = 4

// most is the host that nearly all outputs of a folder name that name one; empty if there is none.
func (s *hostNames) most(dir string, known map[string]string) string {
	best, sum := "", 0
	for k := range known {
		n := s.weight[[2]string{dir, k}]
		sum += n
		if n > s.weight[[2]string{dir, best}] {
			best = k
		}
	}
	if n := s.weight[[2]string{dir, best}]; n < mostOutputs*(sum-n) {
		return ""
	}
	return known[best]
}

// inName finds a host that others name in a file's name, or else in those of its
// folders, the nearest first.
func (s *hostNames) inName(p *part, known map[string]string) (host, from string) {
	label := strings.ToLower(strings.TrimPrefix(p.file.path, p.file.root))
	for _, name := range slices.Backward(strings.Split(label, "/")) {
		if k, some := keyIn(name, known); some {
			return known[k], "file name"
		}
	}
	return "", ""
}

// keyIn finds the key of a host in a name, and whether there is any. Of lpar1 and
// lpar1-db the longer one is meant; of lpar1 and lpar2 nobody knows which, and
// the key is empty.
func keyIn(name string, known map[string]string) (longest string, some bool) {
	var there []string
	for k := range known {
		if hasWord(name, k) {
			there = append(there, k)
			if len(k) > len(longest) {
				longest = k
			}
		}
	}
	if slices.ContainsFunc(there, func(k string) bool { return !strings.Contains(longest, k) }) {
		longest = ""
	}
	return longest, len(there) > 0
}

// hasWord reports whether a text has a name as a word of its own.
func hasWord(text, name string) bool {
	letter := func(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		if (from == 0 || !letter(text[from-1])) && (to == len(text) || !letter(text[to])) {
			return true
		}
		at = from + 1
	}
}

// group is the folder of an output that names no host.
func (s *hostNames) group(p *part) string {
	dir, _ := s.folder(p.file)
	if ofHMC(p) {
		return "hmc " + dir
	}
	return dir
}
