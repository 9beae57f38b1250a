// Plainlint runs the analyzer of package plain over packages of this module.
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"seaworthy/internal/tools/plain"
)

func main() { singlechecker.Main(plain.Analyzer) }
