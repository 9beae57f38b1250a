package command

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"seaworthy/report/quote"
	"seaworthy/safefile"
)

// SaveResult writes a measurement as JSON to a file whose folder it makes: it must
// not be lost for want of one.
func SaveResult(path string, result any) error {
	if _, err := safefile.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return SaveJSON(path, " ", result)
}

// SaveJSON writes a value as JSON to a file, whole or not at all.
func SaveJSON(path, indent string, value any) error {
	text, err := json.MarshalIndent(value, "", indent)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return safefile.Write(path, append(quote.JSON(text), '\n'))
}
