package command

import (
	"encoding/json"
	"path/filepath"

	"seaworthy/report/quote"
	"seaworthy/safefile"
)

// SaveResult writes a measurement as JSON to a file whose folder it makes: it must
// not be lost for want of one.
func SaveResult(path string, result any) error {
	text, err := json.MarshalIndent(result, "", " ")
	if err != nil {
		return err
	}
	if _, err := safefile.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.Write(path, append(quote.JSON(text), '\n'))
}
