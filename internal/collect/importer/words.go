package importer

import (
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/collect/importer/split"
	"seaworthy/internal/parse"
)

const (
	// wordedName is a host's name in a sentence: with a number in it, which few words have that are no names.
	wordedName = "[`*\"'<(\\[]*(?:[\\w.-]+@)?([a-z][\\w-]*\\d[\\w-]*(?:\\.[a-z][\\w-]*)*)"
	hostWord   = `(?:host|hostname|node|node name|server|lpar|vios|partition|system|machine|box|rechner|knoten|serveur|h[oô]te)`
	ofOrOn     = `(?:of|on|from|for|von|vom|auf|aus|de|du|sur)[ \t]+(?:(?:the|our|my)[ \t]+)?(?:` + hostWord + `[ \t]+)?`
)

// namingWords are the sentences around outputs that say of which host those are.
var namingWords = []*parse.Pattern{
	parse.Lazy(`(?i)\b(?:outputs?|data|results?|logs?|reports?|information|infos?|statistics|stats|settings|configuration|checks?|` +
		`collect(?:ed|ing|ion)|gathered|taken|captured|ausgaben?|daten|werte|einstellungen|sorties?|donn[ée]es)[ \t]+` + ofOrOn + wordedName),
	parse.Lazy(`(?i)\bwhat (?:i|we) (?:get|got|see|saw|have) ` + ofOrOn + wordedName),
	parse.Lazy(`(?im)\breports?[ \t:]+` + wordedName + `[ \t]*$`),
	parse.Lazy(`(?im)^[ \t]*` + hostWord + `(?:[ \t]*[:=][ \t]*|[ \t]+)` + wordedName + `[ \t]*$`),
	parse.Lazy("(?i)\\b" + hostWord + "[ \\t]+[`<\"'“]+" + wordedName + "[`>\"'”]"),
	parse.Lazy(`(?i)\bcron <[\w.-]+@([a-z][\w.-]*)>`),
}

// noHostWord are words with a number that people write in such sentences and that name no host.
var noHostWord = regexp.MustCompile(`^(?:aix|rhel|sles|ubuntu|debian|centos|power|p|mtu|ipv|tcp|rfc|ts|case|pmr|day|run|test|step|part)[-_.]?\d[\d.]*$`)

// nameFromWords gives the outputs of a file in which nothing else names a host the name that the words around them give, if
// those give one only.
func (f *file) nameFromWords(c *split.Cut) {
	if slices.ContainsFunc(f.parts, func(p *part) bool { return p.named != "" }) {
		return
	}
	names := map[string]string{}
	for i, p := range f.parts {
		if p.found != nil && p.found.ID != otherID || i >= len(c.Pieces) || len(c.Pieces[i].Text) > mostWords {
			continue
		}
		for _, w := range namingWords {
			for _, m := range w.Regexp().FindAllSubmatch(c.Pieces[i].Text, -1) {
				name := string(m[1])
				low := strings.ToLower(name)
				if !noHostWord.MatchString(low) && !detect.IsDevice(low) && detect.ParseCommand(low).ID == "" {
					names[key(name)] = name
				}
			}
		}
	}
	if len(names) != 1 {
		return
	}
	for _, name := range names {
		f.give(f.parts, name, "words around the outputs")
	}
}

// mostWords bounds a text that is searched for names, in bytes.
const mostWords = 64 << 10
