package cli

import (
	"context"

	"github.com/spf13/cobra"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab/topology"
)

func (a *app) topologies() *cobra.Command {
	var schema, generate bool
	var copied copying
	spec := topology.Spec{Name: "generated", Systems: 2, LPARs: 4, VIOSes: 4, VLANs: 1, HA: "auto", Ports: 1, Rate: "10G", MTU: 1500}
	c := &cobra.Command{
		Use:   "topologies [NAME]",
		Short: "List the built-in topologies, print one to start your own from, generate one, or copy saved hosts",
		Example: "  seaworthy lab topologies dual-vios > mine.yaml\n" +
			"  seaworthy lab topologies --generate --lpars 200 --vlans 20 | seaworthy lab up -\n" +
			"  seaworthy lab topologies --from today > copy.yaml",
		Args: command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			if len(copied.from) > 0 && (generate || schema || len(argv) > 0) {
				return command.Usage("lab topologies: --from stands alone")
			}
			if len(copied.from) > 0 {
				return copied.print(c.Context(), a)
			}
			if generate {
				return a.generateTopology(spec, c.Flags().Changed, argv)
			}
			for _, f := range generating {
				if c.Flags().Changed(f) {
					return command.Usage("lab topologies: --%s belongs to --generate", f)
				}
			}
			if schema {
				_, err := a.Stdout.Write(topology.Schema)
				return err
			}
			if len(argv) == 0 {
				return a.listTopologies(c.Context())
			}
			_, text, err := topology.Source(c.Context(), argv[0])
			if err != nil {
				return err
			}
			_, err = a.Stdout.Write(text)
			return err
		},
	}
	f := c.Flags()
	copied.flags(c)
	f.BoolVar(&schema, "schema", false, "print the JSON Schema of topology files")
	f.BoolVar(&generate, "generate", false, "generate a topology of the given size")
	f.StringVar(&spec.Name, "name", spec.Name, "generate: `name` of the topology")
	f.IntVar(&spec.Systems, "systems", spec.Systems, "generate: managed systems; 1 with a single VIOS")
	f.IntVar(&spec.LPARs, "lpars", spec.LPARs, "generate: LPARs of all systems together")
	f.IntVar(&spec.VIOSes, "vios", spec.VIOSes,
		"generate: VIOSes of all systems together; two of a system make a pair, which each has if not given")
	f.IntVar(&spec.VLANs, "vlans", spec.VLANs, "generate: VLANs; all but the first are tagged on the trunks")
	f.StringVar(&spec.HA, "ha", spec.HA, "generate: ha_mode of the pairs: auto, sharing or standby")
	f.IntVar(&spec.Ports, "ports", spec.Ports, "generate: physical ports of a VIOS; two and more are an EtherChannel")
	f.StringVar(&spec.Rate, "rate", spec.Rate, "generate: line `rate` of a port")
	f.IntVar(&spec.MTU, "mtu", spec.MTU, "generate: MTU of every interface; above 1500 with jumbo frames on all elements")
	return c
}

// generateTopology prints a topology of the given size. The flags that are given decide
// those that are not: every system has a VIOS, or two.
func (a *app) generateTopology(spec topology.Spec, given func(flag string) bool, argv []string) error {
	if len(argv) > 0 {
		return command.Usage("lab topologies --generate takes no NAME: --name %s is the new topology's", argv[0])
	}
	switch {
	case given("vios") && !given("systems"):
		spec.Systems = max(1, min(spec.Systems, spec.VIOSes))
	case given("systems") && !given("vios"):
		spec.VIOSes = 2 * spec.Systems
	}
	text, err := topology.Generate(spec)
	if err != nil {
		return command.Usage("%w", err)
	}
	_, err = a.Stdout.Write(text)
	return err
}

// listTopologies lists the built-in topologies.
func (a *app) listTopologies(ctx context.Context) error {
	type builtin struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	var list []builtin
	for _, name := range topology.Builtins() {
		_, text, err := topology.Source(ctx, name)
		if err != nil {
			return err
		}
		list = append(list, builtin{name, topology.Title(text)})
	}
	return a.Answer(list, func(p *report.Document) {
		t := doc.NewTable("topologies", doc.Left("topology"), doc.Left("what it is"))
		for _, b := range list {
			t.Add(b.Name, b.Title)
		}
		p.Table(t)
	})
}

// generating are the flags of --generate.
var generating = []string{"name", "systems", "lpars", "vios", "vlans", "ha", "ports", "rate", "mtu"}
