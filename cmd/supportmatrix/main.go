// Command supportmatrix prints docs/support-matrix.md: run by make support-matrix
// in the repository's root.
package main

import (
	"fmt"
	"os"
)

func main() {
	text, err := page("docs/real-outputs.tsv")
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "supportmatrix:", err)
		os.Exit(1)
	}
}
