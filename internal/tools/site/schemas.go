package main

import (
	"maps"
	"slices"
	"strings"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/cli"
	"seaworthy/internal/knowledge"
	"seaworthy/lab/topology"
)

// schema is a JSON Schema with the keys of its first level.
type schema struct {
	What, File, Command string
	ID                  string
	Fields              []field
	text                string
}

type field struct {
	Name, Meaning string
	Required      bool
}

func schemaList() []schema {
	return []schema{
		{What: "what audit -f json prints", File: "findings.schema.json", Command: "seaworthy audit --schema", text: cli.FindingsSchema},
		{What: "a plan, as plan -o writes it", File: "plan.schema.json", Command: "seaworthy plan --schema", text: cli.PlanSchema},
		{What: "hosts.yaml, the inventory file", File: "hosts.schema.json", Command: "seaworthy inventory --schema", text: cli.HostsSchema},
		{What: "a file of known defects", File: "defects.schema.json", Command: "seaworthy defects ls --schema", text: knowledge.DefectsSchema},
		{What: "a topology of the lab", File: "topology.schema.json", text: string(topology.Schema)},
	}
}

func (g *generator) schemas() {
	all := schemaList()
	for i := range all {
		err := all[i].read()
		if err != nil {
			g.err = err
			return
		}
		g.pages["schemas/"+all[i].File] = []byte(all[i].text)
	}
	g.page("schemas.md", "schemas", all)
}

// object is the part of a JSON Schema that says which keys there are.
type object struct {
	Required   []string `json:"required"`
	Properties map[string]struct {
		Description string `json:"description"`
		Title       string `json:"title"`
		Const       any    `json:"const"`
	} `json:"properties"`
}

// read fills in what the schema itself says.
func (s *schema) read() error {
	var top struct {
		object
		ID   string            `json:"$id"`
		Ref  string            `json:"$ref"`
		Defs map[string]object `json:"$defs"`
	}
	err := decode.JSON(s.File, []byte(s.text), &top, decode.Newer)
	if err != nil {
		return err
	}
	keys := top.object
	if name, ok := strings.CutPrefix(top.Ref, "#/$defs/"); ok {
		keys = top.Defs[name]
	}
	s.ID = top.ID
	if version, ok := keys.Properties["schema"].Const.(string); ok {
		s.ID = version
	}
	for _, name := range slices.Sorted(maps.Keys(keys.Properties)) {
		p := keys.Properties[name]
		s.Fields = append(s.Fields, field{name, p.Description + p.Title, slices.Contains(keys.Required, name)})
	}
	return nil
}
