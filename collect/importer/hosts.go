package importer

import (
	"cmp"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strings"

	"seaworthy/collect/importer/recognise"
	"seaworthy/dialect"
)

// assign says of which host each output is, and how that was found. given is
// the host of what names none; empty: it is found from files and folders.
func assign(files []*file, given string) {
	manifests(files)
	renamed(files)
	s := sight{files: files, named: map[string]map[string]string{}, snaps: snaps(files)}
	s.look()
	groups := map[string][]*part{} // by folder: what names no host
	for _, f := range files {
		for _, p := range f.parts {
			if p.found == nil && p.named == "" || p.host != "" {
				continue
			}
			switch host, from := s.host(p); {
			case host != "":
				p.host, p.hostFrom = host, from
			case given != "" && !hmc(p):
				p.host, p.hostFrom = given, "--host"
			case p.found != nil:
				g := s.group(p)
				groups[g] = append(groups[g], p)
			}
		}
	}
	for folder, parts := range groups {
		unnamed(folder, parts)
	}
	s.clashes()
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
			p.record, p.manifest = r, m.manifest
			p.host, p.hostFrom = m.manifest.Host, "manifest beside it"
			p.found.ID, p.found.Element, p.found.Attribute, p.found.Command = r.ID, r.Element, r.Attribute, r.Line
		}
	}
}

// renamed gives outputs below headings the name that the host has itself where
// another output below the same heading says it: dsh and ssh may know a host by
// its address or by an alias.
func renamed(files []*file) {
	own := map[string]*part{} // by the name in the heading; nil: several hosts have it, so it tells nothing
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

// sight is what the files of an import say about hosts.
type sight struct {
	files []*file
	named map[string]map[string]string // folder → host's key → its name
	snaps map[string]bool              // folders
}

// key makes one of lpar1, LPAR1 and lpar1.example.com, but not of aix-7.2 and
// aix-7.3: what stands behind a host's name is a domain only if it ends like one.
func key(host string) string {
	low := strings.ToLower(host)
	if domain.MatchString(low) {
		low, _, _ = strings.Cut(low, ".")
	}
	return low
}

var domain = dialect.Lazy(`^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z]{2,}$`)

// snapFile is a file that every snap has under a folder of its name:
// general/general.snap, tcpip/tcpip.snap.
var snapFile = dialect.Lazy(`^(.*?)(?:^|/)(\w+)/(\w+)\.snap$`)

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

// place is the folder whose files are taken to be of one host, and whether it
// is a snap's.
func (s *sight) place(f *file) (folder string, snap bool) {
	dir := path.Dir(f.path)
	for d := dir; len(s.snaps) > 0; d = path.Dir(d) {
		if s.snaps[d] {
			return d, true
		}
		if d == path.Dir(d) {
			break
		}
	}
	return dir, false
}

func (s *sight) look() {
	for _, f := range s.files {
		for _, p := range f.parts {
			if p.named == "" || hmc(p) {
				continue
			}
			for d, _ := s.place(f); ; d = path.Dir(d) {
				if s.named[d] == nil {
					s.named[d] = map[string]string{}
				}
				if k := key(p.named); len(p.named) > len(s.named[d][k]) {
					s.named[d][k] = p.named
				}
				if d == f.root || len(d) <= len(f.root) || d == path.Dir(d) {
					break
				}
			}
		}
	}
}

func hmc(p *part) bool { return p.found != nil && p.found.Family == recognise.HMC }

// host finds the host of an output from what names one.
func (s *sight) host(p *part) (host, from string) {
	if hmc(p) {
		if p.namedBy == "prompt" {
			return p.named, p.namedBy // the HMC that was logged in to
		}
		return "", ""
	}
	dir, snap := s.place(p.file)
	if p.named != "" {
		return p.named, p.namedBy
	}
	for d := dir; ; d = path.Dir(d) {
		if known := s.named[d]; len(known) > 0 {
			if len(known) > 1 {
				return s.inName(p, known)
			}
			for _, name := range known {
				if snap && d == dir {
					return name, "the only host that the snap names"
				}
				return name, "the only host named in " + d
			}
		}
		if d == p.file.root || len(d) <= len(p.file.root) || d == path.Dir(d) {
			return "", ""
		}
	}
}

// inName finds a host that others name in a file's name, or else in those of its
// folders, the nearest first.
func (s *sight) inName(p *part, known map[string]string) (host, from string) {
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

// hasWord says that a name stands in a text and is no part of a longer word.
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
func (s *sight) group(p *part) string {
	dir, _ := s.place(p.file)
	if hmc(p) {
		return "hmc " + dir
	}
	return dir
}

// unnamed gives the outputs of a folder in which nothing names a host the
// folder's name. Where one device was read twice the folder cannot be one
// host: then the file names part it.
func unnamed(folder string, parts []*part) {
	name, from := path.Base(strings.TrimPrefix(folder, "hmc ")), "folder name"
	if len(parts) > 0 && parts[0].file.root == parts[0].file.path {
		name, from = cmp.Or(stem(parts[0].file.path), path.Base(parts[0].file.path)), "file name"
	}
	if name == "." || name == "/" || name == "" || name == ".." {
		name, from = "unnamed", "nothing names the host"
	}
	seen := map[string]*part{}
	mixed := false
	for _, p := range parts {
		id := slot(p)
		if q := seen[id]; q != nil && q.file != p.file && q.digest != p.digest {
			mixed = true
		}
		seen[id] = p
	}
	for _, p := range parts {
		p.host, p.hostFrom = name, from
		if s := stem(p.file.path); mixed && s != "" {
			p.host, p.hostFrom = s, "file name, as the folder holds several hosts and none is named"
		}
		if hmc(p) && !strings.Contains(strings.ToLower(p.host), "hmc") {
			p.host += "-hmc"
		}
	}
}

// slot is what an output is about: two in one slot are two readings.
func slot(p *part) string {
	return p.found.ID + "\x00" + p.found.Element + "\x00" + p.found.Attribute
}

var (
	stemWords = dialect.Lazy(`[-_ ,+@~()\[\]]+`)
	ending    = dialect.Lazy(`(?i)\.(?:txt|out|log|lst|dat|text|snap|nmon|err|info)$`)
	deviceEnd = dialect.Lazy(`^(?:ent?|et|lo|l|eth|bond|sea|vnicserver|sys|inet)\d+$|^(?:en|ent|if|all|net|adapter|adapters|class)$`)
)

// stem is a file's name without the words that say what is in it.
func stem(name string) string {
	base := ending.ReplaceAllString(path.Base(name), "")
	base = ending.ReplaceAllString(base, "")
	var keep []string
	for _, w := range stemWords.Regexp().Split(strings.ReplaceAll(base, "entstat-d.", "entstat-d-"), -1) {
		low := strings.ToLower(w)
		if w == "" || deviceEnd.MatchString(low) || recognise.ParseCommand(low+" -a").ID != "" || len(w) <= 2 && strings.Trim(w, "adilmnopqrsvxELDRHFC") == "" {
			continue
		}
		keep = append(keep, w)
	}
	return strings.Join(keep, "-")
}

// clashes settles what stands in one slot of one host twice: the same text is
// taken once; of two readings the later one is.
func (s *sight) clashes() {
	type place struct{ host, slot string }
	seen := map[place]*part{}
	for _, f := range s.files {
		for _, p := range f.parts {
			if p.found == nil || p.host == "" {
				continue
			}
			p.stored = true
			at := place{key(p.host), slot(p)}
			q := seen[at]
			switch {
			case q == nil:
				seen[at] = p
			case q.digest == p.digest:
				p.stored = false
				p.warnings = append(p.warnings, "the same text as in "+q.file.path+": taken once")
			case recognise.Repeats(p.found.ID), partial(p, q):
			case q.file == p.file || !p.file.time.Before(q.file.time):
				q.stored = false
				q.warnings = append(q.warnings, "not stored: "+p.file.path+" has a later reading of the same")
				seen[at] = p
			default:
				p.stored = false
				p.warnings = append(p.warnings, "not stored: "+q.file.path+" has a later reading of the same")
			}
		}
	}
}

// partial says that one of two outputs is only a part of what the other says:
// ifconfig en0 beside ifconfig -a. Both are kept.
func partial(p, q *part) bool {
	return p.lines*3 < q.lines*2 || q.lines*3 < p.lines*2
}

func digest(text string) uint64 {
	h := fnv.New64a()
	_, _ = io.WriteString(h, text) // never fails
	return h.Sum64()
}
