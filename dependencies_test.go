package seaworthy_test

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// Every direct dependency is somebody else's code that a reader has to trust.
func TestDirectDependencies(t *testing.T) {
	const limit = 14
	out, err := exec.Command("go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatalf("go mod edit -json: %v", err)
	}
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatalf("go mod edit -json: %v", err)
	}
	var direct []string
	for _, r := range mod.Require {
		if !r.Indirect {
			direct = append(direct, r.Path)
		}
	}
	if len(direct) == 0 || len(direct) > limit {
		t.Errorf("got %d direct dependencies, want at least one and at most %d: %v", len(direct), limit, direct)
	}
}
