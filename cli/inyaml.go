package cli

import "github.com/goccy/go-yaml"

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
