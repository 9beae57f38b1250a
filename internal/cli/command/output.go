package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/ui/report/quote"
)

// output is stdout until it is closed: what prints a result that nobody waits for any
// more finds no way there.
type output struct {
	w      io.Writer
	closed atomic.Bool
	err    error // of the first write that failed
}

func (o *output) Write(b []byte) (int, error) {
	if o.closed.Load() {
		return 0, os.ErrClosed
	}
	n, err := o.w.Write(b)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// SaveResult writes a measurement as JSON to a file whose folder it makes: it must
// not be lost for lack of one.
func SaveResult(path string, result any) error {
	if _, err := fileio.MkdirAll(filepath.Dir(path)); err != nil {
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
	return fileio.Write(path, append(quote.JSON(text), '\n'))
}
