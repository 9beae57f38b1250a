package parse

// Value holds what a codec makes of a text: its typed fields, and the Report that
// it embeds.
type Value interface{ Reading() *Report }

// Reading is the report of a value that embeds it.
func (r *Report) Reading() *Report { return r }
