package report

import "seaworthy/internal/ui/report/doc"

var _ = register(Format{Name: "csv", Print: func(to Output, r Result) error {
	return doc.WriteCSV(to.W, r.document())
}})
