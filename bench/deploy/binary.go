package deploy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// find looks for the helper of a platform in folders, in order, then in the one of
// the running program.
func find(dirs []string, goos, goarch string) (string, error) {
	if self, err := os.Executable(); err == nil {
		dirs = append(slices.Clip(dirs), filepath.Dir(self))
	}
	names := []string{"seaworthy-probe-" + goos + "-" + goarch}
	if goos == runtime.GOOS && goarch == runtime.GOARCH {
		names = append(names, "seaworthy-probe")
	}
	for _, dir := range dirs {
		for _, name := range names {
			path := filepath.Join(dir, name)
			i, err := os.Stat(path)
			if err == nil && i.Mode().IsRegular() {
				return path, nil
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("no %s in %s", strings.Join(names, " or "), strings.Join(dirs, ", "))
}
