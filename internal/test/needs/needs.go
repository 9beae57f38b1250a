// Package needs skips tests on machines that lack a program they run.
package needs

import (
	"os"
	"os/exec"
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
