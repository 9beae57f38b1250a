package measure_test

import (
	"fmt"
	"os"
	"testing"
)

// tempRoot holds what the tests share; it goes with them.
var tempRoot string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	tempRoot, err = os.MkdirTemp("", "seaworthy-bench-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(tempRoot)
	return m.Run()
}
