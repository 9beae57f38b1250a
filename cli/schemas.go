package cli

import _ "embed"

// FindingsSchema is the JSON Schema of what audit -f json prints.
//
//go:embed schema/findings.schema.json
var FindingsSchema string

func (a *app) auditSchema() error {
	return a.Print(FindingsSchema)
}
