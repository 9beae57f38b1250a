// Package repository holds the tests about the source tree as a whole: its layers,
// its dependencies, who writes files, who decodes what people hand in, and which
// parsers are fuzzed. It has no code of its own.
package repository
