package cli

import (
	_ "embed"
	"io"
)

// FindingsSchema is the JSON Schema of what audit -f json prints.
//
//go:embed schema/findings.schema.json
var FindingsSchema string

func (a *app) auditSchema() error {
	if _, err := io.WriteString(a.stdout, FindingsSchema); err != nil {
		return unwritten(err)
	}
	return nil
}
