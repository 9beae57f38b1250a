//go:build !linux

package fileio

import (
	"errors"
	"io/fs"
	"os"
)

// writeNameless is not supported: Linux alone has files without a name.
func writeNameless(*os.Root, string, []byte, fs.FileMode, bool) error { return errors.ErrUnsupported }
