package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"seaworthy/internal/change/execute"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote/labs"
)

// hostNames are those of the inventory; without one there is nothing to offer.
func (a *commandLine) hostNames() []string {
	inv, err := a.access().Targets(context.Background())
	if err != nil || inv == nil {
		return nil
	}
	return inv.Names()
}

func ruleNames() []string {
	var out []string
	for _, r := range knowledge.BuiltIn().Rules() {
		out = append(out, r.ID+"\t"+r.Title)
	}
	return out
}

func attributeNames() []string {
	var out []string
	for _, a := range knowledge.BuiltIn().Attributes("") {
		out = append(out, a.Name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func runNames() []string {
	journals, err := execute.DefaultJournals()
	if err != nil {
		return nil
	}
	runs, err := journals.Runs(context.Background())
	if err != nil {
		return nil
	}
	var out []string
	for _, r := range runs {
		out = append(out, r.ID+"\t"+string(r.Outcome))
	}
	return out
}

// complete sets up shell completion.
func (a *commandLine) complete(root *cobra.Command) {
	folders := cobra.ShellCompDirectiveFilterDirs
	onlyNames := cobra.ShellCompDirectiveNoFileComp
	inventories := func() []string {
		list := []string{"lab"}
		running, _ := labs.Running(labs.Dir())
		for _, name := range running {
			list = append(list, "lab:"+name)
		}
		return list
	}
	hosts := command.From(a.hostNames, onlyNames)
	drivers := command.Words(measure.DriverNames()...)
	a.Complete(root, map[string]command.Completer{
		"audit": command.From(a.hostNames, folders), "plan": command.From(a.hostNames, folders),
		"compare":   command.From(a.hostNames, folders),
		"tune":      command.From(a.hostNames, folders),
		"predict":   command.From(a.hostNames, folders),
		"show host": command.From(a.hostNames, folders), "show path": command.From(a.hostNames, folders), "collect": hosts,
		"rules show":      command.From(ruleNames, onlyNames),
		"attributes show": command.From(attributeNames, onlyNames),
		"rollback":        command.From(runNames, onlyNames), "status": command.From(runNames, onlyNames),
	}, map[string]command.Completer{
		"inventory": command.From(inventories, cobra.ShellCompDirectiveDefault),
		"fail-on":   command.Words("critical", "high", "medium", "low", "info", "never"),
		"from":      hosts, "to": hosts, "via": hosts, "driver": drivers, "against": drivers,
		"layer":   command.From(func() []string { return knowledge.BuiltIn().Layers() }, onlyNames),
		"disable": command.From(ruleNames, onlyNames), "rules": nil, "since": nil,
	})
}
