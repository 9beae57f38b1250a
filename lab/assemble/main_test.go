package assemble_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/test/labtest"
	"seaworthy/lab"
	"seaworthy/lab/assemble"
)

// The test program is its own supervisor and its own commands.
func TestMain(m *testing.M) {
	if handled, exit := lab.Main(os.Args, assemble.Default()); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// up starts a lab that ends with the test.
func up(t *testing.T, topology string) *lab.Lab {
	t.Helper()
	return upWith(t, lab.Options{Topology: topology})
}

func upWith(t *testing.T, o lab.Options) *lab.Lab {
	t.Helper()
	return labtest.Up(t, o)
}

// run runs a line on a node; an empty user is the node's usual login.
func run(t *testing.T, l *lab.Lab, node, user, line string) (out, errs string, exit int) {
	t.Helper()
	var o, e bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	exit, err := l.Exec(ctx, node, user, line, lab.Stdio{Out: &o, Err: &e})
	if err != nil {
		t.Fatalf("%s: %s: %v (%s)", node, line, err, e.String())
	}
	return o.String(), e.String(), exit
}

// notes returns what this machine's kernel keeps from being real.
func notes(t *testing.T, l *lab.Lab) string {
	t.Helper()
	var e assemble.Effects
	if err := l.Query(t.Context(), "effects", nil, &e); err != nil {
		t.Fatal(err)
	}
	return strings.Join(e.Notes, "\n")
}
