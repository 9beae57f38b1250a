package repository_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// Tests wait for events. Where time itself is what is tested they say so by await.Pause, or
// sleep by the clock of synctest, which costs none.
func TestNoSleeps(t *testing.T) {
	eachGoFile(t, func(path string, lines []string) {
		path = filepath.ToSlash(path)
		if !strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "lab/chaos/") || strings.HasPrefix(path, "internal/tools/") {
			return
		}
		if strings.Contains(strings.Join(lines, "\n"), "testing/synctest") {
			return
		}
		for i, l := range lines {
			if strings.Contains(l, "time."+"Sleep(") {
				t.Errorf("%s:%d sleeps: wait for the event (internal/test/await)", path, i+1)
			}
		}
	})
}
