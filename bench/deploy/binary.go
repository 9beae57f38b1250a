package deploy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// find looks for the helper of a platform in folders, in order.
func find(dirs []string, goos, goarch string) (string, error) {
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

// folders are the given ones, then the one of the running program.
func folders(given []string) []string {
	dirs := append([]string(nil), given...)
	if self, err := os.Executable(); err == nil {
		dirs = append(dirs, filepath.Dir(self))
	}
	return dirs
}
