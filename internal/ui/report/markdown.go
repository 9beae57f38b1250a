package report

import "seaworthy/internal/ui/report/doc"

var _ = register(Format{Name: "md", Print: func(to Output, r Result) error {
	d := r.document()
	if hasPage(r.Data) {
		title, summary := Titled(r.Data)
		lead := []doc.Block{doc.Heading{Level: 1, Text: title}, doc.Lead{Sentences: summary}}
		d.Blocks = append(lead, d.Blocks...)
	}
	return doc.WriteMarkdown(to.W, d)
}})
