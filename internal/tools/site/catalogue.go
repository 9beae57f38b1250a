package main

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"seaworthy/internal/audit/finding"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
)

//go:embed pages/*.tmpl
var templates embed.FS

// catalogue is what seaworthy knows, with what refers to what.
type catalogue struct {
	*knowledge.Catalog
	Rules      []knowledge.Rule
	Attributes []attribute
	Causes     []knowledge.Cause
	Defects    []knowledge.Defect

	layers   map[string][]knowledge.Attribute // by name
	evidence map[string]evidence              // by rule
}

// attribute is one name in all of its layers.
type attribute struct {
	Name   string
	Layers []knowledge.Attribute
	cat    *catalogue
}

func readCatalogue() (*catalogue, error) {
	cat, err := knowledge.Load()
	if err != nil {
		return nil, err
	}
	defects, err := knowledge.Defects()
	if err != nil {
		return nil, err
	}
	c := &catalogue{Catalog: cat, Rules: cat.Rules(), Causes: cat.Causes(), Defects: defects,
		layers: map[string][]knowledge.Attribute{}, evidence: map[string]evidence{}}
	for _, a := range cat.Attributes("") {
		c.layers[a.Name] = append(c.layers[a.Name], a)
	}
	for _, name := range slices.SortedFunc(maps.Keys(c.layers), compareNames) {
		c.Attributes = append(c.Attributes, attribute{Name: name, Layers: c.layers[name], cat: c})
	}
	for i := range c.Rules {
		c.evidence[c.Rules[i].ID] = c.evidenceOf(&c.Rules[i])
	}
	return c, nil
}

// compareNames orders names as people look for them: large and small letters are one.
func compareNames(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}

// generated are the pages that are made of what the program knows.
func generated() (pages, error) {
	c, err := readCatalogue()
	if err != nil {
		return nil, err
	}
	g := &generator{pages: pages{}, templates: template.New("").Funcs(c.functions())}
	_, err = g.templates.ParseFS(templates, "pages/*.tmpl")
	if err != nil {
		return nil, err
	}
	g.catalogue(c)
	g.commands()
	g.experiments()
	g.schemas()
	return g.pages, g.err
}

// generator fills templates. After an error it does nothing.
type generator struct {
	pages     pages
	templates *template.Template
	err       error
}

func (g *generator) page(name, kind string, data any) {
	if g.err != nil {
		return
	}
	if g.pages[name] != nil {
		g.err = fmt.Errorf("page %s: made twice", name)
		return
	}
	var b bytes.Buffer
	err := g.templates.ExecuteTemplate(&b, kind+".md.tmpl", data)
	if err != nil {
		g.err = fmt.Errorf("page %s: %w", name, err)
		return
	}
	g.pages[name] = b.Bytes()
}

func (g *generator) catalogue(c *catalogue) {
	for _, r := range c.Rules {
		g.page("rules/"+fileName(r.ID)+".md", "rule", rulePage{r, c})
	}
	g.page("rules/index.md", "rules", c)
	g.page("rules/elements.md", "elements", c)
	for _, a := range c.Attributes {
		g.page(a.Page(), "attribute", a)
	}
	g.page("attributes/index.md", "attributes", c)
	g.page("causes.md", "causes", c)
	g.page("defects/index.md", "defects", c)
	for _, d := range defectPages {
		g.page("defects/"+d.Name+".md", "defectpage", defectPage{d, c})
	}
	g.page("facts.md", "facts", c)
	g.page("sources.md", "sources", c)
}

// functions are those of the templates.
func (c *catalogue) functions() template.FuncMap {
	return template.FuncMap{
		"plain": plain, "code": code, "terminal": block, "join": strings.Join, "defaults": report.Defaults, "file": fileName,
		"word":          func(s string) string { return finding.Severity(s).Word() },
		"badge":         func(s string) string { return fmt.Sprintf(`<span class="severity %s">%s</span>`, s, s) },
		"linked":        c.linked,
		"quoted":        c.codes,
		"cited":         c.cited,
		"anchor":        func(s string) string { return strings.ToLower(fileName(s)) },
		"value":         func(s string) string { return strings.TrimSpace(strings.TrimPrefix(s, "=")) },
		"oneline":       func(s string) string { return strings.Join(strings.Fields(s), " ") },
		"expression":    expression,
		"inc":           func(i int) int { return i + 1 },
		"attr":          c.attributeLink,
		"linkedAddress": linkedAddress,
	}
}

// codes are texts in the letters of a terminal, with commas between them.
func (c *catalogue) codes(all []string) string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = code(s)
	}
	return strings.Join(out, ", ")
}

var ruleName = regexp.MustCompile(`\bR\d{3}\b`)

// linked is a text of the catalogue whose rules are links; up leads from its page to the root of the site.
func (c *catalogue) linked(up, s string) string {
	var b strings.Builder
	end := 0
	for _, at := range ruleName.FindAllStringIndex(s, -1) {
		id := s[at[0]:at[1]]
		b.WriteString(plain(s[end:at[0]]))
		end = at[1]
		if _, ok := c.Rule(id); ok {
			fmt.Fprintf(&b, "[%s](%srules/%s.md)", id, up, id)
		} else {
			b.WriteString(id)
		}
	}
	b.WriteString(plain(s[end:]))
	return b.String()
}

var address = regexp.MustCompile(`https?://[^\s)]+[^\s).,]`)

// cited is what a citation stands for, with the place as a link.
func (c *catalogue) cited(citation string) string {
	src, ok := c.Source(citation)
	if !ok {
		return plain(citation)
	}
	text := code(citation) + ": " + plain(src.Title)
	if src.Where == "" {
		return text
	}
	return text + ", " + linkedAddress(src.Where)
}

// linkedAddress is a text whose first web address is a link.
func linkedAddress(s string) string {
	at := address.FindStringIndex(s)
	if at == nil {
		return plain(s)
	}
	url := s[at[0]:at[1]]
	return fmt.Sprintf("%s[%s](<%s>)%s", plain(s[:at[0]]), plain(url), url, plain(s[at[1]:]))
}

// attributeLink is an attribute's name, as a link from a page one folder deep if it has a page.
func (c *catalogue) attributeLink(name string) string {
	if c.layers[name] == nil {
		return code(name)
	}
	return fmt.Sprintf("[%s](../attributes/%s.md)", code(name), fileName(name))
}
