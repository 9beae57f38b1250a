package missettings

import (
	"os"
	"testing"

	"seaworthy/lab"
	"seaworthy/lab/machinery"
)

// The test program is its own supervisor and its own node commands.
func TestMain(m *testing.M) {
	if handled, exit := lab.Main(os.Args, machinery.Standard()); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}
