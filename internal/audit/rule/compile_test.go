package rule

import (
	"testing"

	"seaworthy/internal/knowledge"
)

// Every expression of the built-in rules compiles, and names attributes that
// exist.
func TestBuiltInRulesCompile(t *testing.T) {
	cat, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := Compile(cat.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.rules {
		if err := set.verify(&set.rules[i]); err != nil {
			t.Error(err)
		}
	}
}
