package cli

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"

	"seaworthy/document"
)

// inYAML is a part of the catalogue, which has the same names in JSON as in the
// files that people write it in.
type inYAML struct{ v any }

func (y inYAML) MarshalJSON() ([]byte, error) {
	text, err := yaml.Marshal(y.v)
	if err != nil {
		return nil, err
	}
	var v any
	if err := document.YAML("catalogue", text, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}
