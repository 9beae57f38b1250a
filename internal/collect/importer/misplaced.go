package importer

import (
	"maps"
	"path"
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// digits are what hosts of one scheme of names differ in: lpar1 and lpar9.
var digits = parse.Lazy(`\d+`)

// sameScheme reports whether two names of hosts differ in nothing but their numbers. Of freebsd12 and freebsd one has none.
func sameScheme(a, b string) bool {
	if !digits.MatchString(a) || !digits.MatchString(b) {
		return false
	}
	if digits.ReplaceAllString(a, "") != digits.ReplaceAllString(b, "") {
		return false
	}
	zeros := func(number string) string { return strings.TrimLeft(number, "0") }
	plain := func(s string) string { return digits.Regexp().ReplaceAllStringFunc(s, zeros) }
	return plain(a) != plain(b) // lpar01 may be called lpar1
}

// misplaced reports whether the only host that the files of a folder name is another one than the folder's: a single file
// names it, and the folder is named after a host of the same scheme, as hosts' folders beside it are, or that host has a
// folder of its own. A folder whose name may be anything, as that of a ticket, decides nothing.
func (s *hostNames) misplaced(folder, host string) bool {
	base := path.Base(folder)
	if s.snaps[folder] || !hostish.MatchString(base) || isPlain(base) {
		return false
	}
	own, k := key(base), key(host)
	if own == k || hasWord(own, k) || hasWord(k, own) || len(s.namers[[2]string{folder, k}]) > 1 {
		return false
	}
	if sameScheme(own, k) {
		return true
	}
	parent := path.Dir(folder)
	for other := range s.own[k] {
		if other != folder && path.Dir(other) == parent {
			return true
		}
	}
	return s.ownBeside[parent] > 1
}

// leastInStyle is how many files of a folder, named after what is in them and nothing else, show that one person or script saved
// them.
const leastInStyle = 2

// stranger reports whether the only file that names a host came into the folder from elsewhere, as far as anything tells: the
// files that name none are named after what is in them, it is not, and neither a MAC or an address nor the folder's name ties
// it to them. A lone uname.txt beside ethtool.txt is of the same host; extra.txt with an uname in it decides of itself alone.
func (s *hostNames) stranger(f *file, named, host string) bool {
	k := key(host)
	its := s.namers[[2]string{named, k}]
	dir := path.Dir(f.path)
	if len(its) != 1 || hasWord(key(path.Base(dir)), k) {
		return false
	}
	for namer := range its {
		if plainlyNamed(namer) || path.Dir(namer.path) != dir {
			return false
		}
	}
	// Another system's files tell nothing of how these are named.
	beside := slices.DeleteFunc(slices.Clone(s.nameless[dir]), func(g *file) bool {
		system, own := systemOf(g), s.systems[k]
		return system != "" && own != "" && system != own
	})
	if len(beside) < leastInStyle || slices.ContainsFunc(beside, func(g *file) bool { return !plainlyNamed(g) }) {
		return false
	}
	return s.opposition(candidateAt{dir, named, k}).agree == 0
}

// fromElsewhere reports whether a file is not of the only host that is named: either that name came from elsewhere, or the file did.
func (s *hostNames) fromElsewhere(f *file, named, host string) bool {
	return s.stranger(f, named, host) || s.otherSystem(f, named, host) || s.otherPost(f, named, host)
}

// leastPost is how many lines of people's words make a text a post.
const leastPost = 2

// isPost reports whether a text is what somebody wrote, with outputs in it.
func (f *file) isPost() bool {
	lines := 0
	for _, p := range f.parts {
		if p.found != nil && p.found.Kind == noteKind {
			lines += p.Lines
		}
	}
	return lines >= leastPost
}

// otherPost reports whether a file is a post and the files that name the host are others: of two people's posts one does not say of
// which host the other is. A MAC or an address of the host in it does.
func (s *hostNames) otherPost(f *file, named, host string) bool {
	if !f.isPost() {
		return false
	}
	opposition := s.opposition(candidateAt{path.Dir(f.path), named, key(host)})
	if opposition.agree > 0 {
		return false
	}
	for namer := range s.namers[[2]string{named, key(host)}] {
		if !namer.isPost() {
			return false
		}
	}
	return true
}

// otherSystem reports whether a file is named after another system than the files that name a host, or after a level of its system
// while those, which lie elsewhere, are not: aix-4.3.2-en0 beside a host of any level.
func (s *hostNames) otherSystem(f *file, named, host string) bool {
	system, level := systemIn(f.path)
	if system == "" {
		return false
	}
	for namer := range s.namers[[2]string{named, key(host)}] {
		its, itsLevel := systemIn(namer.path)
		switch {
		case its == "" && (level == "" || path.Dir(namer.path) == path.Dir(f.path)):
			return false
		case its == system && (itsLevel == level || itsLevel == "" || level == ""):
			return false
		}
	}
	return true
}

// leastAlike is how many files of two folders beside each other, of the same names and with other outputs, show that a folder is
// another host's than the one beside it.
const leastAlike = 2

// twin reports whether the only host that is named below a folder is that of another folder in it than a file's: both hold the same
// outputs, and those differ. Readings of one host are told by words for times in the folders' names.
func (s *hostNames) twin(f *file, named, host string) bool {
	own := childOf(f.path, named)
	other := ""
	for namer := range s.namers[[2]string{named, key(host)}] {
		child := childOf(namer.path, named)
		if child == "" || child == own || other != "" && child != other {
			return false
		}
		other = child
	}
	if own == "" || other == "" || isTime(own) || isTime(other) {
		return false
	}
	return s.alike(path.Join(named, own), path.Join(named, other)) >= leastAlike
}

// childOf is the folder right below another one in which a file lies; empty if it lies in that one itself.
func childOf(file, folder string) string {
	rest, ok := strings.CutPrefix(path.Dir(file), folder+"/")
	if !ok {
		return ""
	}
	child, _, _ := strings.Cut(rest, "/")
	return child
}

// isTime reports whether a folder's name says when its files were taken.
func isTime(folder string) bool {
	return timeWord.MatchString(folder) || dated.MatchString(folder) || number.MatchString(folder)
}

var timeWord = parse.Lazy(`(?i)\b(?:before|after|old|new|now|then|pre|post|vorher|nachher|avant|apr[eè]s|antes|despu[eé]s|earlier|later|` +
	`morning|noon|evening|night|run|day|test|week|t|step|phase|round|attempt|try|good|bad|slow|fast|ok|nok)[-_ ]?\d*\b`)

// alike counts the files of two folders that have the same names, and whose outputs differ.
func (s *hostNames) alike(a, b string) (n int) {
	outputs := map[string]uint64{}
	for _, f := range s.files {
		if path.Dir(f.path) == a && len(f.parts) == 1 && f.parts[0].found != nil {
			outputs[path.Base(f.path)] = f.parts[0].digest
		}
	}
	for _, f := range s.files {
		if path.Dir(f.path) != b || len(f.parts) != 1 || f.parts[0].found == nil {
			continue
		}
		digest, both := outputs[path.Base(f.path)]
		if both && digest != f.parts[0].digest {
			n++
		}
	}
	return n
}

// note keeps that a file names a host, for a folder above it.
func (s *hostNames) note(f *file, folder, host string) {
	k := key(host)
	at := [2]string{folder, k}
	if s.namers[at] == nil {
		s.namers[at] = map[*file]bool{}
	}
	s.namers[at][f] = true
	if key(path.Base(folder)) != k || s.own[k][folder] {
		return
	}
	if s.own[k] == nil {
		s.own[k] = map[string]bool{}
	}
	s.own[k][folder] = true
	s.ownBeside[path.Dir(folder)]++
}

// beside says which hosts other files of a folder name, where outputs of it stay apart from them; empty if none is named.
func (s *hostNames) beside(folder string) string {
	switch names := slices.Sorted(maps.Values(s.named[folder])); len(names) {
	case 0:
		return ""
	case 1:
		return "; " + names[0] + ", which another file there names, was taken for another host" + s.opposing(folder)
	default:
		const most = 3
		list := strings.Join(names[:min(len(names), most)], ", ")
		if len(names) > most {
			list += ", …"
		}
		return "; the files there name " + list + ", and nothing says which of them"
	}
}
