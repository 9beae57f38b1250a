package cli

import (
	"encoding/json"
	"fmt"
)

// answer prints a result as JSON if asked for, else by the given function.
func (a *app) answer(v any, table func()) error {
	if a.format != "json" {
		table()
		return nil
	}
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}
