// Command site assembles the sources of the documentation site: the pages of docs, and
// those that the catalogue, the JSON Schemas, the published experiments and the help of
// the programs make. make docs runs it in the repository's root and builds the site
// from what it wrote.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	out := flag.String("o", "out/site-src", "`folder` that the pages are written to; what it held is removed")
	flag.Parse()
	err := assemble(".", *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}
