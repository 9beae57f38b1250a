package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/catalog"
	"seaworthy/change"
	"seaworthy/remote/hosts"
)

// completer offers what a word may become; a tab before a word's explanation.
type completer = func(c *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective)

// from makes a completer of a list. Words that were given already are left out.
func from(list func() []string, files cobra.ShellCompDirective) completer {
	return func(_ *cobra.Command, given []string, word string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, s := range list() {
			name, _, _ := strings.Cut(s, "\t")
			if strings.HasPrefix(name, word) && !slices.Contains(given, name) {
				out = append(out, s)
			}
		}
		return out, files
	}
}

func words(list ...string) completer {
	return from(func() []string { return list }, cobra.ShellCompDirectiveNoFileComp)
}

// hostNames are those of the inventory; without one there is nothing to offer.
func (a *app) hostNames() []string {
	o, err := a.options()
	if err != nil || o.Inventory == "" {
		return nil
	}
	inv, err := hosts.Load(o.Inventory)
	if err != nil {
		return nil
	}
	var names []string
	for name := range inv.Hosts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ofCatalogue lists things of the catalogue by a function.
func ofCatalogue(list func(*catalog.Catalog) []string) func() []string {
	return func() []string {
		cat, err := catalog.Load()
		if err != nil {
			return nil
		}
		return list(cat)
	}
}

func ruleNames(c *catalog.Catalog) []string {
	var out []string
	for _, r := range c.Rules() {
		out = append(out, r.ID+"\t"+r.Title)
	}
	return out
}

func attributeNames(c *catalog.Catalog) []string {
	var out []string
	for _, a := range c.Attributes("") {
		out = append(out, a.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func runNames() []string {
	journals, err := change.DefaultJournals()
	if err != nil {
		return nil
	}
	runs, err := journals.Runs()
	if err != nil {
		return nil
	}
	var out []string
	for _, r := range runs {
		out = append(out, r.ID+"\t"+string(r.Outcome))
	}
	return out
}

// complete tells the shells what may stand where.
func (a *app) complete(root *cobra.Command) {
	folders := cobra.ShellCompDirectiveFilterDirs
	onlyNames := cobra.ShellCompDirectiveNoFileComp
	labs, nodes, topologies := labNames()
	for path, f := range map[string]completer{
		"audit": from(a.hostNames, folders), "plan": from(a.hostNames, folders), "show host": from(a.hostNames, folders),
		"show path": from(a.hostNames, folders), "collect": from(a.hostNames, onlyNames),
		"rules show": from(ofCatalogue(ruleNames), onlyNames), "attributes show": from(ofCatalogue(attributeNames), onlyNames),
		"rollback": from(runNames, onlyNames), "status": from(runNames, onlyNames),
		"lab up": from(topologies, cobra.ShellCompDirectiveDefault), "lab topologies": from(topologies, onlyNames),
		"lab down": from(labs, onlyNames), "lab exec": from(nodes, onlyNames), "lab shell": from(nodes, onlyNames),
	} {
		if c, rest, err := root.Find(strings.Fields(path)); err == nil && len(rest) == 0 {
			c.ValidArgsFunction = f
		}
	}
	inventories := from(func() []string {
		list := []string{"lab"}
		for _, l := range labs() {
			list = append(list, "lab:"+l)
		}
		return list
	}, cobra.ShellCompDirectiveDefault)
	flags := map[string]completer{
		"format": words("table", "json"), "inventory": inventories,
		"fail-on": words("critical", "high", "medium", "low", "info", "never"),
		"from":    from(a.hostNames, onlyNames), "to": from(a.hostNames, onlyNames), "via": from(a.hostNames, onlyNames),
		"driver": words(driverNames()...), "against": words(driverNames()...), "lab": from(labs, onlyNames),
		"layer":   from(ofCatalogue((*catalog.Catalog).Layers), onlyNames),
		"disable": from(ofCatalogue(ruleNames), onlyNames), "rules": nil, "since": nil,
	}
	each(root, func(c *cobra.Command) {
		for name, f := range flags {
			if c.Flag(name) == nil || c.InheritedFlags().Lookup(name) != nil {
				continue
			}
			if f == nil {
				_ = c.MarkFlagDirname(name) // fails only if the flag is not there
				continue
			}
			_ = c.RegisterFlagCompletionFunc(name, f)
		}
	})
}

// each visits a command and all below it.
func each(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		each(sub, visit)
	}
}
