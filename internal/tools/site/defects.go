package main

import (
	"slices"
	"strings"

	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
)

// defectKind is a page of known defects: those of some platforms.
type defectKind struct {
	Name, Title string
	platforms   []string
}

var defectPages = []defectKind{
	{"aix", "Known defects of AIX and VIOS", []string{"aix", "vios"}},
	{"linux", "Known defects of Linux", []string{"linux"}},
	{"firmware", "Known defects of firmware", []string{"firmware"}},
}

type defectPage struct {
	defectKind
	c *catalogue
}

// All are the page's defects.
func (p defectPage) All() []knowledge.Defect {
	var out []knowledge.Defect
	for _, d := range p.c.Defects {
		if pageOf(d).Name == p.Name {
			out = append(out, d)
		}
	}
	return out
}

// pageOf is the page that a defect stands on: the first that has one of its platforms.
func pageOf(d knowledge.Defect) defectKind {
	i := slices.IndexFunc(defectPages, func(k defectKind) bool {
		return slices.ContainsFunc(k.platforms, func(p string) bool { return slices.Contains(d.Platforms, p) })
	})
	if i < 0 {
		return defectPages[0]
	}
	return defectPages[i]
}

// DefectPage is the file that a defect stands in.
func (c *catalogue) DefectPage(d knowledge.Defect) string { return pageOf(d).Name + ".md" }

// line is one thing that is known of a defect.
type line struct{ Label, Text string }

// Shown is the text as the page has it: an expression in the letters of a terminal.
func (l line) Shown() string {
	if l.Label == "where" || l.Label == "condition" {
		return code(l.Text)
	}
	return linkedAddress(l.Text)
}

// Lines are what defects show prints of a defect, below its title.
func (p defectPage) Lines(d knowledge.Defect) []line {
	var document report.Document
	report.Defect(&document, &d)
	var out []line
	for _, b := range document.Blocks {
		if prose, ok := b.(doc.Prose); ok {
			out = append(out, line{strings.TrimSpace(prose.Label), prose.Text})
		}
	}
	return out
}
