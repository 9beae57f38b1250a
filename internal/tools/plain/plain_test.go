package plain_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"seaworthy/internal/tools/plain"
)

// The example has one case of each kind, and beside it how it is written.
func TestEveryKindIsReported(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), plain.Analyzer, "example")
}
