// Package repository knows the source tree as a whole: its layers and what each
// imports. Its tests hold the order of the layers, the dependencies of each, who
// writes files, who decodes what people hand in, which parsers are fuzzed, and
// that links of the documentation lead somewhere.
package repository
