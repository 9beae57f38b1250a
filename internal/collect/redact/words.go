package redact

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"seaworthy/internal/parse"
)

// words.txt holds the words that the commands print of themselves: names of
// attributes, values, counters and states, and the plain English of headings,
// descriptions and messages.
//
//go:embed words.txt
var wordList string

var vocabulary = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(wordList) {
		m[w] = true
	}
	return m
})

// shapes are forms that identify nothing: numbers (of hexadecimal ones those
// below 65,536, and masks) with units, devices, parts of location codes, times,
// levels of firmware and kernels.
//
//go:embed shapes.txt
var shapeList string

var shapes = parse.Lazy(`^(?:` + strings.Join(strings.Fields(shapeList), "|") + `)$`)

// freeShapes are those of the shapes that stay in what people have written: small
// numbers with units, and devices.
var freeShapes = sync.OnceValue(func() *parse.Pattern {
	lines := strings.Fields(shapeList)
	return parse.Lazy(`^(?:\d{1,5}(?:[KMGT]?i?[Bb]|[KMG]?bps|[smhdx%]|ms|us|ns|st|nd|rd|th)?|[A-Za-z]|` + lines[2] + `)$`)
})

// harmlessWord reports whether a word identifies nobody and nothing in what people
// have written: a whole known word, a device, a small number.
func harmlessWord(s string) bool {
	return s == "" || vocabulary()[strings.ToLower(s)] || freeShapes().MatchString(s)
}

// harmless reports whether a word identifies nobody and nothing.
func harmless(s string) bool {
	if vocabulary()[strings.ToLower(s)] || shapes.MatchString(s) || s == "" {
		return true
	}
	parts := strings.Split(s, "_")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !harmless(p) })
}
