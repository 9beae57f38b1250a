package cli

import (
	"embed"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"seaworthy/bench"
	"seaworthy/change/watchdog"
	"seaworthy/cli/command"
	"seaworthy/tune"
)

//go:embed commands
var texts embed.FS

// described are the subcommands as their texts have them.
var described = sync.OnceValues(func() (command.Described, error) {
	return command.Describe(texts, strings.NewReplacer("{drivers}", strings.Join(bench.DriverNames(), ", "), "{goals}", tune.GoalNames(),
		"{state}", watchdog.Base, "{blocks}", strconv.Itoa(bench.MostBlocks), "{longest}", defaultMost.String()))
})

// command is a subcommand by its path.
func (a *app) command(path string, flags command.Flags, run func(c *cobra.Command, argv []string) error) *cobra.Command {
	all, err := described()
	if err != nil {
		panic(err) // the texts are in the program
	}
	return all.Command(path, flags, run)
}
