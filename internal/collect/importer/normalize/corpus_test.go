package normalize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/test/codectest"
)

// Real outputs that came undamaged stay byte for byte as they are.
func TestCorpusKept(t *testing.T) {
	for _, file := range codectest.Files(t, "*/*.txt", "*/*/*.txt") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// tput sgr0 ends colours with a shift of the character set, which shows nothing.
		want := strings.ReplaceAll(string(text), "\x0f", "")
		if got := Text(text); string(got.Text) != want {
			t.Errorf("%s/%s: changed: %q", filepath.Base(filepath.Dir(file)), filepath.Base(file), got.Notes)
		}
	}
}
