package console

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"text/template"
	"time"

	"seaworthy/internal/parse/aix/hmc"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

//go:embed records.tmpl
var recordsText string

// lists hold what there is to list, by the command and the words behind it.
var lists = template.Must(template.New("").Funcs(template.FuncMap{
	"now":  func() string { return time.Now().Format("01/02/2006 15:04:05") },
	"mac":  func(a string) string { return strings.ToUpper(strings.ReplaceAll(a, ":", "")) },
	"slot": topology.Slot, "nextSlot": nextSlot, "procs": procs, "unit": odm.Unit, "port": odm.PortName,
	"curr_pend": func() []string { return []string{"curr", "pend"} },
}).Parse(recordsText))

// listed is a managed system as the lists see it.
type listed struct {
	*topology.System
	Down map[string]bool // partitions that do not run
}

func (c *Console) records(words string, s *topology.System) (list []hmc.Record, err error) {
	of := listed{s, map[string]bool{}}
	for _, n := range s.Nodes {
		of.Down[n.Name] = c.Down(n.Name) != nil
	}
	var text strings.Builder
	if err := lists.ExecuteTemplate(&text, words, of); err != nil {
		return nil, err
	}
	var r hmc.Record
	for line := range strings.Lines(text.String()) {
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); name {
		case "":
		case "--":
			list = append(list, r)
			r = hmc.Record{}
		default:
			r.Fields = append(r.Fields, hmc.Field{Name: name, Value: value})
		}
	}
	return list, nil
}

// procs are a partition's virtual processors; of a dedicated one its processors.
func procs(n topology.Node) string {
	if n.Mode == "Donating" {
		return strconv.Itoa(int(math.Ceil(n.Entitled)))
	}
	return strconv.Itoa(n.VCPUs)
}

// nextSlot is a partition's first virtual slot without an adapter.
func nextSlot(n topology.Node) int {
	used := map[int]bool{}
	for j, a := range n.Adapters {
		used[topology.Slot(j)] = a.Kind == topology.Virtual
	}
	next := topology.Slot(0)
	for used[next] {
		next++
	}
	return next
}
