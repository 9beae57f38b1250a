// Package needs skips tests on machines that lack a program they run.
package needs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Tool skips the test unless the machine has a program. In CI, which installs
// what is missing, it fails instead.
func Tool(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err == nil {
		return
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("%s is not installed", name)
}

// Programs puts programs of cmd/ into a folder, for all to run: those that make
// test has built once for all packages, in $SEAWORTHY_PROGRAMS, or else built now.
func Programs(dir string, names ...string) error {
	if built := os.Getenv("SEAWORTHY_PROGRAMS"); built != "" {
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(built, name))
			if err != nil {
				return fmt.Errorf("SEAWORTHY_PROGRAMS: %w", err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o755); err != nil {
				return err
			}
		}
		return nil
	}
	args := []string{"build", "-ldflags=-s -w", "-o", dir + string(filepath.Separator)}
	for _, name := range names {
		args = append(args, "seaworthy/cmd/"+name)
	}
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	return nil
}
