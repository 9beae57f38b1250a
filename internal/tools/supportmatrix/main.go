// Command supportmatrix prints docs/support-matrix.md: run by make support-matrix
// in the repository's root.
package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/parse/registry"
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

//go:embed matrix.md.tmpl
var markdown string

// area is a table of assumptions.
type area struct{ Name, Title string }

// command holds what is known of an output: how many real ones were read.
type command struct {
	Command, Outputs, Share, Levels string
	lines, understood               int
}

var areas = []area{
	{"login", "Logging in"}, {"watchdog", "The watchdog of --confirm-within"}, {"devices", "Reading and changing devices"},
	{"packets", "Test packets"}, {"measuring", "Measuring"}, {"linux", "Linux"},
}

// page is the whole document.
func page(outputs string) ([]byte, error) {
	list, err := knowledge.Assumptions()
	if err != nil {
		return nil, err
	}
	real, err := counted(outputs)
	if err != nil {
		return nil, err
	}
	data := struct {
		Areas             []area
		Assumed           []knowledge.Assumption
		Read              []command
		None, Kept        string
		Lines, Understood int
	}{Areas: areas, Assumed: list}
	var none, kept []string
	for _, e := range entries() {
		c, found := real[e.ID]
		c.Command = e.Command
		switch {
		case e.Parse == nil:
			kept = append(kept, code(e.Command))
		case !found:
			none = append(none, code(e.Command))
		default:
			data.Read = append(data.Read, c)
			data.Lines += c.lines
			data.Understood += c.understood
		}
	}
	data.None, data.Kept = strings.Join(none, ", "), strings.Join(kept, ", ")
	var b bytes.Buffer
	err = template.Must(template.New("").Funcs(template.FuncMap{
		"cell": cell, "code": code, "join": strings.Join, "witness": doctor.Witness, "name": doctor.Name,
	}).Parse(markdown)).Execute(&b, data)
	return b.Bytes(), err
}

// entries are the kinds of output, each once, in alphabetical order.
func entries() []*registry.Entry {
	var all []*registry.Entry
	for _, e := range registry.Entries() {
		if registry.Find(e.ID) == e {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b *registry.Entry) int { return strings.Compare(a.Command, b.Command) })
	return all
}

// cell is a text that cannot end a table's cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func code(s string) string { return "`" + cell(s) + "`" }

// counted reads the table of real outputs.
func counted(file string) (map[string]command, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comma = '\t'
	all, err := rows.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	out := map[string]command{}
	for _, r := range all[1:] {
		c := command{Outputs: r[1], Levels: r[4]}
		if c.lines, err = strconv.Atoi(r[2]); err == nil {
			c.understood, err = strconv.Atoi(r[3])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, r[0], err)
		}
		c.Share = fmt.Sprintf("%d of %d lines", c.understood, c.lines)
		if c.Levels == "" {
			c.Levels = "not stated"
		}
		out[r[0]] = c
	}
	return out, nil
}
