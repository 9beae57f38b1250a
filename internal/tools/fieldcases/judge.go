// Whether the answers of a case name its true cause.

package main

import (
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"seaworthy/internal/base/decode"
)

type verdict string

const (
	namedFirst  verdict = "first"
	namedAmong  verdict = "among"
	needsData   verdict = "needs data"
	nothing     verdict = "nothing"
	wrongAnswer verdict = "wrong"
)

var verdicts = []verdict{namedFirst, namedAmong, needsData, nothing, wrongAnswer}

// expectation says what counts as the right answer of a case. Patterns ignore case.
type expectation struct {
	Names   []string `yaml:"names"`   // each pattern must be in one answer
	Hosts   string   `yaml:"hosts"`   // the hosts that import must make, in alphabetical order, and no others
	Imports []string `yaml:"imports"` // patterns that what import, show tree or show host prints must have, each
	Never   []string `yaml:"never"`   // patterns that no advice may have
	Missing []string `yaml:"missing"` // patterns of what may be named as missing instead
}

//go:embed expected.yaml
var expectedText []byte

func loadExpectations() (map[string]expectation, error) {
	var cases map[string]expectation
	if err := decode.YAML("expected.yaml", expectedText, &cases); err != nil {
		return nil, err
	}
	for name, e := range cases {
		for _, p := range slices.Concat(e.Names, e.Imports, e.Never, e.Missing) {
			if _, err := regexp.Compile(p); err != nil {
				return nil, fmt.Errorf("expected.yaml: %s: %w", name, err)
			}
		}
	}
	return cases, nil
}

type result struct {
	Case    fieldCase
	Verdict verdict
	Why     string
	Answers []answer
}

func judge(c fieldCase, e expectation, answers []answer) result {
	r := result{Case: c, Answers: answers}
	r.Verdict, r.Why = decide(c, e, answers)
	return r
}

func decide(c fieldCase, e expectation, answers []answer) (verdict, string) {
	for _, a := range answers {
		if p := firstMatch(e.Never, a.Advice); p != "" {
			return wrongAnswer, "advises " + p + ": " + a.Title
		}
	}
	if len(e.Imports) > 0 && !importedRightly(e.Imports, answers) {
		return nothing, "the outputs were not read as they should be"
	}
	if hosts := hostsOf(answers); e.Hosts != "" && hosts != e.Hosts {
		return nothing, "hosts " + hosts + ", not " + e.Hosts
	}
	names := e.Names
	if len(names) == 0 && len(e.Imports) == 0 && e.Hosts == "" {
		names = wordsOfCure(c)
	}
	if len(names) == 0 {
		return namedFirst, "read as it should be"
	}
	rank := 0
	for _, a := range answers {
		if a.By != "diagnose" && a.By != "audit" {
			continue
		}
		if named(names, a) {
			if rank == 0 {
				return namedFirst, a.By + ": " + a.Title
			}
			return namedAmong, fmt.Sprintf("%s, answer %d: %s", a.By, rank+1, a.Title)
		}
		rank++
	}
	for _, a := range answers {
		if a.By == "missing" && firstMatch(e.Missing, a.Text) != "" {
			return needsData, a.Text
		}
	}
	return nothing, ""
}

func hostsOf(answers []answer) string {
	for _, a := range answers {
		if a.By == "hosts" {
			return a.Text
		}
	}
	return "none"
}

func importedRightly(patterns []string, answers []answer) bool {
	text := ""
	for _, a := range answers {
		if a.By == "import" {
			text += a.Text + "\n"
		}
	}
	return !slices.ContainsFunc(patterns, func(p string) bool { return firstMatch([]string{p}, text) == "" })
}

func named(patterns []string, a answer) bool {
	text := a.Title + "\n" + a.Text + "\n" + a.Advice
	return !slices.ContainsFunc(patterns, func(p string) bool { return firstMatch([]string{p}, text) == "" })
}

// firstMatch returns the first pattern that text has; "" if it has none.
func firstMatch(patterns []string, text string) string {
	for _, p := range patterns {
		if regexp.MustCompile("(?is)" + p).MatchString(text) {
			return p
		}
	}
	return ""
}

// technical words: APARs, attributes, levels.
var technical = regexp.MustCompile(`\bI[JVYZ]\d{5}\b|\b[a-z]+(?:_[a-z0-9]+)+\b|\b\d+\.\d+\.\d+\.\d+\b`)

// wordsOfCure gives a pattern of any technical word of the right answer.
func wordsOfCure(c fieldCase) []string {
	words := technical.FindAllString(c.Right, -1)
	if len(words) == 0 {
		return []string{`\bno pattern and no technical word\b`}
	}
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	return []string{strings.Join(words, "|")}
}

func printResult(w io.Writer, r result, verbose bool) {
	fmt.Fprintf(w, "%-11s %-28s %.110s\n", r.Verdict, r.Case.Name, strings.ReplaceAll(r.Why, "\n", " "))
	if !verbose {
		return
	}
	fmt.Fprintf(w, "            right: %s\n", r.Case.Right)
	for _, a := range r.Answers {
		if a.By == "audit" || a.By == "diagnose" {
			fmt.Fprintf(w, "            %s: %.120s\n", a.By, a.Title)
		}
	}
}

func printSum(w io.Writer, results []result) {
	fmt.Fprintf(w, "\n%d cases:", len(results))
	for _, v := range verdicts {
		fmt.Fprintf(w, " %s %d", v, count(results, v))
	}
	fmt.Fprintln(w)
}

func count(results []result, v verdict) int {
	n := 0
	for _, r := range results {
		if r.Verdict == v {
			n++
		}
	}
	return n
}
