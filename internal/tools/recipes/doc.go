// Package recipes walks the recipes of docs/recipes: it follows one on a copy of the
// repository, counts the files that it touches and runs the tests of the packages
// concerned, so that a recipe states what it really takes.
//
// A walk is a txtar file in testdata. Its comment is the header:
//
//	recipe: fault.md
//	test: ./lab/fault ./lab/effect
//
// Each file section does one thing to one file of the copy, named by its path and a verb:
//
//	-- PATH --         creates the file; it must not exist
//	-- PATH append --  adds the text to its end
//	-- PATH edit --    makes changes: blocks that begin with "=== after" and hold a text
//	                   of the file, or with "=== old" and hold one to be replaced, each
//	                   followed by a block "=== new"
//
// A text of a block must occur in the file once. Files whose names end with _test.go, and
// those below a testdata folder, are tests and do not count.
package recipes
