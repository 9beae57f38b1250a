// Command securitytests prints docs/security-tests.md: the attacks that tests make,
// and the fuzz targets. With -readers it lists what reads foreign text and has no
// fuzz target. Run by make security-tests and make fuzz-coverage in the repository's
// root.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/template"

	"seaworthy/internal/base/decode"
)

func main() {
	readers := flag.Bool("readers", false, "list readers of foreign text without a fuzz target")
	flag.Parse()
	err := run(*readers)
	if err != nil {
		fmt.Fprintln(os.Stderr, "securitytests:", err)
		os.Exit(1)
	}
}

func run(readers bool) error {
	src, err := readSource(".")
	if err != nil {
		return err
	}
	if readers {
		fmt.Printf("%d readers of foreign text\n", len(src.readers))
		missing := src.unfuzzed()
		if len(missing) > 0 {
			return errors.New("without a fuzz target:\n" + strings.Join(missing, "\n"))
		}
		fmt.Println("without a fuzz target: none")
		return nil
	}
	text, err := page(src)
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	return err
}

//go:embed attacks.yaml
var attackList []byte

//go:embed defects.yaml
var defectList []byte

//go:embed page.md.tmpl
var markdown string

// surface is a part of the program that somebody can reach.
type surface struct {
	Surface string   `yaml:"surface"`
	Attacks []attack `yaml:"attacks"`
}

// attack is one or, by the cases of a table, several that a test makes.
type attack struct {
	Test   string `yaml:"test"`   // folder and name
	What   string `yaml:"what"`   // what is attacked, and how
	Result string `yaml:"result"` // what happens
	Cases  bool   `yaml:"cases"`  // each case of the test's table is one

	Controls []string `yaml:"controls"` // cases that are none: what must go on working
}

// row is a line of the document.
type row struct{ What, Result, Test string }

// table is a surface with its rows.
type table struct {
	Surface string
	Rows    []row
}

// tables gives all attacks; the error names tests that are not there.
func tables(src *source) ([]table, error) {
	var list []surface
	err := decode.YAML("attacks.yaml", attackList, &list)
	if err != nil {
		return nil, err
	}
	var out []table
	var wrong []error
	for _, s := range list {
		t := table{Surface: s.Surface}
		for _, a := range s.Attacks {
			cases, ok := src.tests[a.Test]
			switch {
			case !ok:
				wrong = append(wrong, fmt.Errorf("attacks.yaml: there is no test %s", a.Test))
			case a.Cases && len(cases) < 2:
				wrong = append(wrong, fmt.Errorf("attacks.yaml: %s has no table of named cases", a.Test))
			case a.Cases:
				for _, c := range cases {
					if slices.Contains(a.Controls, c) {
						continue
					}
					t.Rows = append(t.Rows, row{cell(a.What + ": " + c), cell(a.Result), a.Test})
				}
			default:
				t.Rows = append(t.Rows, row{cell(a.What), cell(a.Result), a.Test})
			}
		}
		out = append(out, t)
	}
	return out, errors.Join(wrong...)
}

// mendedSurface is a part of the program with the defects that attacks found in it.
type mendedSurface struct {
	Surface string   `yaml:"surface"`
	Defects []defect `yaml:"defects"`
}

// defect is what went wrong once, and what keeps it from coming back.
type defect struct {
	What   string   `yaml:"what"`
	Mended string   `yaml:"mended"` // file or folder of the remedy
	Tests  []string `yaml:"tests"`  // folder and name, of tests and fuzz targets
}

// Cell is what went wrong, as text of a table.
func (d defect) Cell() string { return cell(d.What) }

// defects gives all that are mended; the error names tests and files that are not there.
func defects(src *source) ([]mendedSurface, error) {
	var list []mendedSurface
	err := decode.YAML("defects.yaml", defectList, &list)
	if err != nil {
		return nil, err
	}
	var wrong []error
	for _, s := range list {
		for _, d := range s.Defects {
			if !src.files[d.Mended] {
				wrong = append(wrong, fmt.Errorf("defects.yaml: there is no %s", d.Mended))
			}
			if len(d.Tests) == 0 {
				wrong = append(wrong, fmt.Errorf("defects.yaml: no test of: %s", d.What))
			}
			for _, t := range d.Tests {
				if !src.has(t) {
					wrong = append(wrong, fmt.Errorf("defects.yaml: there is no test %s", t))
				}
			}
		}
	}
	return list, errors.Join(wrong...)
}

// cell makes a text fit for a cell of a table.
func cell(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == '\u202e' || c == '\u200b' {
			return '·'
		}
		return c
	}, s)
	return strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "'").Replace(s)
}

// page is the whole document.
func page(src *source) ([]byte, error) {
	all, err := tables(src)
	if err != nil {
		return nil, err
	}
	mended, err := defects(src)
	if err != nil {
		return nil, err
	}
	data := struct {
		Tables  []table
		Attacks int
		Tests   int
		Mended  []mendedSurface
		Defects int
		Fuzz    []target
		Targets int
		Readers int
	}{Tables: all, Mended: mended, Fuzz: src.targets, Readers: len(src.readers)}
	for _, s := range mended {
		data.Defects += len(s.Defects)
	}
	var tests []string
	for _, t := range all {
		data.Attacks += len(t.Rows)
		for _, r := range t.Rows {
			tests = append(tests, r.Test)
		}
	}
	slices.Sort(tests)
	data.Tests = len(slices.Compact(tests))
	for _, t := range src.targets {
		data.Targets += len(t.Names)
	}
	parsed, err := template.New("").Funcs(template.FuncMap{"join": strings.Join}).Parse(markdown)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, data)
	return b.Bytes(), err
}
