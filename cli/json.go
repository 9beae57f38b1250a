package cli

import (
	"encoding/json"

	"github.com/goccy/go-yaml"
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
		return unwritten(err)
	}
	return nil
}

// inYAML is a part of the catalogue, which has the same names in JSON as in the
// files that people write it in.
type inYAML struct{ v any }

func (y inYAML) MarshalJSON() ([]byte, error) {
	text, err := yaml.Marshal(y.v)
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}
