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
	ofOrOn     = `(?:of|on|from|for|von|vom|auf|aus|de|du|sur)[ \t]+(?:(?:the|our|my)[ \t]+)?(?:` + hostWord + `[ \t]*:?[ \t]+)?`
)

// namingWords are the sentences around outputs that say of which host those are.
var namingWords = []*parse.Pattern{
	parse.Lazy(`(?i)\b(?:outputs?|data|results?|logs?|reports?|information|infos?|statistics|stats|settings|configuration|checks?|` +
		`collect(?:ed|ing|ion)|running|gathered|taken|captured|ausgaben?|daten|werte|einstellungen|sorties?|donn[ée]es)[ \t]+` +
		ofOrOn + wordedName),
	parse.Lazy(`(?i)\bwhat (?:i|we) (?:get|got|see|saw|have) ` + ofOrOn + wordedName),
	parse.Lazy(`(?i)\bon ` + wordedName + `,? (?:i|we) (?:get|got|see|saw|have|ran|run)\b`),
	parse.Lazy(`(?im)\breports?[ \t:]+` + wordedName + `[ \t]*$`),
	parse.Lazy(`(?im)^[ \t]*` + hostWord + `(?:[ \t]*[:=][ \t]*|[ \t]+)` + wordedName + `[ \t]*$`),
	parse.Lazy("(?i)\\b" + hostWord + "[ \\t]+[`<\"'“]+" + wordedName + "[`>\"'”]"),
	parse.Lazy(`(?i)\bcron <[\w.-]+@([a-z][\w.-]*)>`),
}

// noHostWord are words with a number that people write in such sentences and that name no host.
var noHostWord = regexp.MustCompile(`^(?:aix|rhel|sles|ubuntu|debian|centos|power|p|mtu|ipv|tcp|rfc|ts|case|pmr|` +
	`day|run|test|step|part)[-_.]?\d[\d.]*$`)

// announcing is a line that says whose outputs follow, as one may call a host: beside it, another name is not that of all.
var announcing = []*parse.Pattern{parse.Lazy(`(?im)\b(?:outputs?|data|results?|logs?)[ \t]+` + ofOrOn +
	"[`*\"'<(\\[]*([a-z][\\w.-]{2,})[`*\"'>)\\]]*[ \\t]*:[ \\t]*$")}

// nameFromWords gives the outputs of a file in which nothing else names a host the name that the words around them give, if
// those give one only.
func (f *file) nameFromWords(c *split.Cut) {
	if slices.ContainsFunc(f.parts, func(p *part) bool { return p.named != "" }) {
		return
	}
	names, others := map[string]string{}, map[string]string{}
	for i, p := range f.parts {
		if p.found != nil && p.found.ID != otherID || i >= len(c.Pieces) || len(c.Pieces[i].Text) > mostWords {
			continue
		}
		addNamesIn(names, c.Pieces[i].Text, namingWords)
		addNamesIn(others, c.Pieces[i].Text, announcing)
	}
	if len(names) != 1 {
		return
	}
	for k, name := range names {
		delete(others, k)
		if len(others) == 0 {
			f.give(f.parts, name, "words around the outputs")
		}
	}
}

// addNamesIn adds what patterns find in a text that may be the name of a host, by its key.
func addNamesIn(names map[string]string, text []byte, patterns []*parse.Pattern) {
	for _, w := range patterns {
		for _, m := range w.Regexp().FindAllSubmatch(text, -1) {
			name := string(m[1])
			low := strings.ToLower(name)
			if !noHostWord.MatchString(low) && !detect.IsDevice(low) && detect.ParseCommand(low).ID == "" {
				names[key(name)] = name
			}
		}
	}
}

// mostWords bounds a text that is searched for names, in bytes.
const mostWords = 64 << 10
