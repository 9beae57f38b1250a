// Package bombs has small files that take much to read, for the tests of whatever
// reads a file that people hand in.
package bombs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const (
	size       = 500_000   // bytes of a file
	mostMemory = 100 << 20 // bytes that reading one may allocate
	longest    = 4000      // bytes of a message
)

// keys are those below which readers expect lists.
var keys = []string{"hosts", "rules", "waivers", "steps", "commands", "figures", "paths", "attributes", "systems", "trials", "all"}

func all() map[string]string {
	of := func(s string) string { return strings.Repeat(s, size/len(s)) }
	aliases := "a: &a [x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		aliases += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 10) + "]\n"
	}
	var chain strings.Builder // each group is in all before it
	for i := range 20_000 {
		fmt.Fprintf(&chain, "[g%d:children]\ng%d\n", i, i+1)
	}
	files := map[string]string{
		"lists in lists":       of("["),
		"mappings in mappings": of(`{"a":`),
		"flow in flow":         of("{a: "),
		"entries in entries":   of("- "),
		"aliases":              aliases,
		"aliases in all":       "all: {vars: {x: 1}}\n" + aliases,
		"many of nothing":      "[" + of("[],") + "[]]",
		"ranges":               "[a]\n" + of("b[1:9999999][1:9999999]\n"),
		"groups in themselves": "[a:children]\n" + of("a\n") + "[b]\n-\n",
		"groups in groups":     chain.String() + "[g20000]\nx\n",
		"NULs":                 of("\x00"),
		"one line":             of("x"),
	}
	for _, key := range keys {
		files["many "+key] = `{"` + key + `": [` + of("{},") + "{}]}"
		files["keys of "+key] = `{"` + key + `": {` + of(`"a": {},`) + `"b": {}}}`
	}
	return files
}

// Each writes one file after another by that name into a folder of its own and
// has it read: each must be refused, in few words, without taking much memory.
// That bounds the time, too, whatever else the machine does.
func Each(t *testing.T, kind, name string, read func(ctx context.Context, dir string) error) {
	t.Helper()
	for form, text := range all() {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read(t.Context(), dir)
		runtime.ReadMemStats(&after)
		switch {
		case err == nil:
			t.Errorf("%s of %s: taken", kind, form)
		case len(err.Error()) > longest:
			t.Errorf("%s of %s: a message of %d bytes", kind, form, len(err.Error()))
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > mostMemory {
			t.Errorf("%s of %s: took %d MB", kind, form, taken>>20)
		}
	}
}
