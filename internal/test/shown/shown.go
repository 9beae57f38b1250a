// Package shown reads the command lines that the documentation shows, for tests that hold
// them against the programs.
package shown

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Line is one call of seaworthy in a text. What else stands on the line, as other programs, redirections and
// comments, is not part of it.
type Line struct {
	File   string
	Number int      // of the line in the file, from 1
	Shell  string   // the whole line as a shell takes it, without a prompt and a comment
	Args   []string // behind the program's name
	Inline bool     // within a sentence or a table, where a command may be named without all of its arguments
}

// Repository reads README.md, CONTRIBUTING.md and every page of docs below the repository's root, in the order of
// their names.
func Repository(root string) ([]Line, error) {
	files := []string{"README.md", "CONTRIBUTING.md"}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(file) != ".md" {
			return err
		}
		rel, err := filepath.Rel(root, file)
		files = append(files, rel)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var all []Line
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		all = append(all, Text(file, string(text))...)
	}
	return all, nil
}

var (
	// begins with a call of seaworthy, perhaps behind a prompt, in a block of code.
	called = regexp.MustCompile(`^ *(?:\$ )?((?:bin/)?seaworthy .*)$`)
	// code within a line, as tables have it.
	inline = regexp.MustCompile("`(seaworthy [^`]+)`")
)

// Text reads one page of Markdown.
func Text(file, text string) []Line {
	var all []Line
	fenced := false
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		var shells []string
		block := fenced || strings.HasPrefix(line, "    ")
		switch {
		case block:
			if m := called.FindStringSubmatch(line); m != nil {
				shells = []string{m[1]}
			}
		default:
			for _, m := range inline.FindAllStringSubmatch(line, -1) {
				shells = append(shells, strings.ReplaceAll(m[1], `\|`, "|"))
			}
		}
		for _, shell := range shells {
			shell = withoutComment(shell)
			for _, args := range Calls(shell) {
				all = append(all, Line{file, number, shell, args, !block})
			}
		}
	}
	return all
}

// Calls gives the arguments of each call of seaworthy on a line of a shell.
func Calls(shell string) [][]string {
	var all [][]string
	var words []string
	end := func() {
		if len(words) > 1 && (words[0] == "seaworthy" || words[0] == "bin/seaworthy") {
			all = append(all, words[1:])
		}
		words = nil
	}
	tokens := tokenize(shell)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case !t.operator:
			words = append(words, t.text)
		case t.text == "<" || t.text == ">":
			i++ // the file
		default:
			end()
		}
	}
	end()
	return all
}

// token is a word or an operator of a line.
type token struct {
	text     string
	operator bool
}

// tokenize takes a line apart as a shell does: quotes, a command in $(…), operators.
func tokenize(shell string) []token {
	var all []token
	var word strings.Builder
	inWord := false
	var quote rune
	depth := 0
	flush := func() {
		if inWord {
			all = append(all, token{text: word.String()})
		}
		word.Reset()
		inWord = false
	}
	for _, r := range shell {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
				continue
			}
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote = r
			inWord = true
		case r == '(' || r == ')' || depth > 0:
			switch r {
			case '(':
				depth++
			case ')':
				depth--
			}
			word.WriteRune(r)
			inWord = true
		case strings.ContainsRune("|&;<>", r):
			if r == '>' && word.String() == "2" { // stderr, as it is redirected
				word.Reset()
				inWord = false
			}
			flush()
			all = append(all, token{string(r), true})
		case r == ' ':
			flush()
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	flush()
	return all
}

// withoutComment takes a comment off the end of a line, and what else is said behind two blanks.
func withoutComment(shell string) string {
	var quote rune
	for i, r := range shell {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == '#' && i > 0 && shell[i-1] == ' ':
			return strings.TrimSpace(shell[:i])
		}
	}
	return strings.TrimSpace(shell)
}
