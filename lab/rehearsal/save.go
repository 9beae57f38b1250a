package rehearsal

import (
	"encoding/json"
	"fmt"

	"seaworthy/internal/base/fileio"
)

// Save writes a result as JSON.
func Save(file string, r *Result) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = fileio.Write(file, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("rehearsal: %w", err)
	}
	return nil
}
