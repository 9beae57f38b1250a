package e2e

import (
	"os"
	"testing"

	"seaworthy/lab"
	"seaworthy/lab/assemble"
)

// The test program is its own supervisor and its own node commands.
func TestMain(m *testing.M) {
	if handled, exit := lab.Main(os.Args, assemble.Default()); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}
