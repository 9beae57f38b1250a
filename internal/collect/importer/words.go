package importer

import (
	"bytes"
	"slices"
	"strings"

	"seaworthy/internal/collect/importer/detect"
	"seaworthy/internal/collect/importer/split"
	"seaworthy/internal/parse"
)

const (
	// wordedName is a host's name in a sentence: with a number in it, which few words have that are no names.
	wordedName = "[`*\"'<(\\[]*(?:[\\w.-]+@)?([a-z][\\w-]*\\d[\\w-]*(?:\\.[a-z][\\w-]*)*)"
	hostWord   = `(?:host|hostname|node|node name|server|lpar|vios|partition|system|machine|box|rechner|knoten|serveur|servidor|h[oô]te)`
	articles   = `(?:(?:the|our|my|dem|der|le|la|el)[ \t]+)?`
	ofOrOn     = `(?:of|on|from|for|von|vom|auf|aus|für|fuer|de|du|sur|en|em|no|na|del)[ \t]+` + articles +
		`(?:` + hostWord + `[ \t]*:?[ \t]+)?`
	// onHost says where something is the case: "slow network on db4".
	onHost = `(?:on|auf|sur|en|em|no|na|su)[ \t]+` + articles + `(?:` + hostWord + `[ \t]*:?[ \t]+)?`
)

// namingWords are the sentences around outputs that say of which host those are.
var namingWords = []*parse.Pattern{
	parse.Lazy(`(?i)\b(?:outputs?|data|results?|logs?|reports?|information|infos?|statistics|stats|settings|configuration|checks?|` +
		`collect(?:ed|ing|ion)|running|gathered|taken|captured|ausgaben?|daten|werte|einstellungen|sorties?|donn[ée]es)[ \t]+` +
		ofOrOn + wordedName),
	parse.Lazy(`(?im)\bwhat (?:i|we) (?:get|got|see|saw|have) ` + ofOrOn + wordedName),
	parse.Lazy(`(?im)\b(?:salida|sa[íi]das?|sorties?|r[ée]sultats?|resultados?|ausgaben?|outputs?)\b[^\n:]{0,40}?[ \t]` +
		onHost + wordedName + `[ \t]*:[ \t]*$`),
	parse.Lazy(`(?i)\bon ` + wordedName + `,? (?:i|we) (?:get|got|see|saw|have|ran|run)\b`),
	parse.Lazy(`(?im)^[ \t]*(?:and[ \t]+)?(?:(?:this|that|here|das|dies|hier)[ \t]+(?:is|ist)|voici|c['’]est|this one is)[ \t]+` +
		articles +
		`(?:` + hostWord + `[ \t]*:?[ \t]+)?` + wordedName + `[ \t]*(?:\([^()\n]*\))?[ \t]*:[ \t]*$`),
	parse.Lazy(`(?i)\bwelcome to[ \t]+` + articles + `(?:` + hostWord + `[ \t]*:?[ \t]+)?` + wordedName + `\b`),
	parse.Lazy(`(?i)(?:服务器|主机|伺服器|サーバー?|ホスト)[ \t]*` + wordedName + `(?:[ \t]*(?:的|上|の|で|:|：)|[ \t]*$)`),
	parse.Lazy(`(?im)\breports?[ \t:]+` + wordedName + `[ \t]*$`),
	parse.Lazy(`(?im)^[ \t]*` + hostWord + `(?:[ \t]*[:=][ \t]*|[ \t]+)` + wordedName + `(?:[ \t]*$|[ \t]{2})`),
	parse.Lazy(`(?im)^[ \t]*(?:host|host ?name|node ?name|lpar|system name|rechner|serveur|servidor)[ \t]*[:=][ \t]*` +
		`([a-z][\w-]{3,30})[ \t]*$`),
	parse.Lazy("(?i)\\b" + hostWord + "[ \\t]+[`<\"'“]+" + wordedName + "[`>\"'”]"),
	parse.Lazy(`(?i)\bcron <[\w.-]+@([a-z][\w.-]*)>`),
}

// titles are the patterns of a line that says what a whole text is about: its first one, or the subject of a mail or ticket.
var titles = []*parse.Pattern{
	parse.Lazy(`(?i)[ \t]` + onHost + wordedName + `(?:[ \t]*[.!?:]?|` +
		`[ \t]+(?:since|after|when|during|seit|nach|depuis|desde)\b[^\n]*)[ \t]*$`),
	parse.Lazy(`(?i)^[#=*\s]*` + wordedName + `[ \t]+[-–—|:][ \t]+[\pL][\pL ]*[ \t]*[#=*]*$`),
	parse.Lazy(`(?i)^[#=*\s]*(?:[\pL]+[ \t]+)?(?:network|netzwerk|réseau|red|system|host|server|performance|netz)?[ \t]*` +
		`(?:analysis|report|check|data|collection|documentation|diagnos\w+|analyse|netzwerkanalyse|bericht|rapport|informe)[ \t]*:?[ \t]+` +
		wordedName +
		`[ \t]*[#=*]*$`),
}

// subject is the line of a mail or ticket with its subject.
var subject = parse.Lazy(`(?im)^(?:subject|betreff|objet|asunto|oggetto|title|titel|titre|summary|short description)[ \t]*:[ \t]*([^\n]+)$`)

// addNamesInTitle adds the host that the title of a text names, and that a subject in it names.
func addNamesInTitle(names map[string]string, text []byte, first bool) {
	var lines [][]byte
	if first {
		line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
		lines = append(lines, bytes.TrimSpace(line))
	}
	for _, m := range subject.Regexp().FindAllSubmatch(text, maxListed) {
		lines = append(lines, bytes.TrimSpace(m[1]))
	}
	for _, l := range lines {
		if len(l) <= longestTitle {
			addNamesIn(names, l, titles)
		}
	}
}

// longestTitle bounds a line that is read as a title, in bytes.
const longestTitle = 120

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
	first := slices.IndexFunc(f.parts, func(p *part) bool { return p.found != nil && p.found.ID != otherID && p.found.Kind != noteKind })
	for i, p := range f.parts {
		if p.found != nil && p.found.ID != otherID || i >= len(c.Pieces) || len(c.Pieces[i].Text) > mostWords {
			continue
		}
		text := withoutAddresses(c.Pieces[i].Text)
		addNamesIn(names, text, namingWords)
		addNamesInTitle(names, text, i == 0)
		if name := split.SaidAbove(text); name != "" && i == first-1 {
			names[key(name)] = name
		}
		addNamesIn(others, text, announcing)
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

// addressLine is a line of a table of addresses, as /etc/hosts has them: it names hosts, and not the one on which it stands.
var addressLine = parse.Lazy(`(?m)^[ \t]*#?[ \t]*(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:]*::[0-9a-fA-F:]*|` +
	`(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4})` +
	`(?:[ \t]+[\w.-]+){1,8}[ \t]*(?:#[^\n]*)?\r?$`)

// withoutAddresses is a text without the lines of tables of addresses in it.
func withoutAddresses(text []byte) []byte { return addressLine.Regexp().ReplaceAll(text, nil) }

// addNamesIn adds what patterns find in a text that may be the name of a host, by its key.
func addNamesIn(names map[string]string, text []byte, patterns []*parse.Pattern) {
	for _, w := range patterns {
		for _, m := range w.Regexp().FindAllSubmatchIndex(text, -1) {
			name := string(text[m[2]:m[3]])
			low := strings.ToLower(name)
			if bytes.HasPrefix(text[m[3]:], []byte(" in /")) { // where a pipeline runs
				continue
			}
			if !split.NamesNoHost(low) && !detect.IsDevice(low) && detect.ParseCommand(low).ID == "" {
				names[key(name)] = name
			}
		}
	}
}

// mostWords bounds a text that is searched for names, in bytes.
const mostWords = 64 << 10
