package cli

import (
	"context"
	"embed"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/sshhost"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/tune"
)

// commandLine holds what every subcommand needs: the streams, and the flags that
// all have in common.
type commandLine struct {
	*command.App
	args      []string // the whole command line
	inventory string   // -i
	sshConfig string   // -F

	become          string
	maxAuthFailures int
	logins          func() *targets.Run // of this command line
}

// access is how the hosts of this command line are found and reached.
func (a *commandLine) access() fleet.Access {
	access := fleet.Access{HostsFile: a.inventory, SSHConfig: a.sshConfig, Become: become.Method(a.become)}
	access.OnNotice = func(line string) { a.Notice("%s", line) }
	if a.logins != nil {
		access.Logins = a.logins()
	}
	return access
}

// Main runs one command line and returns its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &commandLine{App: command.New("seaworthy", stdin, stdout, stderr), args: args}
	a.logins = sync.OnceValue(func() *targets.Run {
		run := targets.NewRun(a.maxAuthFailures)
		run.OnNotice(func(text string) { a.Notice("%s", text) })
		return run
	})
	if aboutLab(args) {
		args = args[1:2]
	}
	return a.Run(ctx, a.root(), args)
}

// Tree is seaworthy with its subcommands and flags, to be documented or checked. Those of the lab are in lab/cli.
func Tree() *cobra.Command {
	a := &commandLine{App: command.New("seaworthy", strings.NewReader(""), io.Discard, io.Discard)}
	return a.Tree(a.root())
}

func (a *commandLine) root() *cobra.Command {
	a.maxAuthFailures = sshhost.DefaultMaxAuthFailures
	root := a.command("seaworthy", command.Flags{"inventory": &a.inventory, "ssh-config": &a.sshConfig, "become": &a.become,
		"max-auth-failures": &a.maxAuthFailures}, nil)
	root.PersistentFlags().AddFlagSet(root.Flags())
	root.AddCommand(newLab(a)...)
	root.AddCommand(
		newCollect(a), newImport(a), newInventory(a), newShow(a), newTop(a), newDiagnose(a), newAudit(a), newDiff(a), newCompare(a),
		newHistory(a), newFleet(a), newExport(a), newDrift(a), newSite(a), newRules(a),
		newDefects(a), newAttributes(a), newPlan(a), newPredict(a), newTune(a), newApply(a), newConfirm(a), newRollback(a), newStatus(a),
		newCleanup(a), newTour(a), newProbe(a), newBench(a), newReport(a), newServe(a), newSupportBundle(a), a.Man(), newDoctor(a), a.Version(),
	)
	a.complete(root)
	return root
}

//go:embed commands
var texts embed.FS

// described are the subcommands as their texts have them.
var described = sync.OnceValues(func() (command.Described, error) {
	return command.Describe(texts, strings.NewReplacer("{drivers}", strings.Join(measure.DriverNames(), ", "), "{goals}", tune.GoalNames(),
		"{methods}", strings.Join(become.Methods, ", "), "{state}", watchdog.Base,
		"{blocks}", strconv.Itoa(measure.MostBlocks), "{longest}", defaultMost.String()))
})

// command is a subcommand by its path.
func (a *commandLine) command(path string, flags command.Flags, run func(c *cobra.Command, argv []string) error) *cobra.Command {
	all, err := described()
	if err != nil {
		panic(err) // the texts are in the program
	}
	return all.Command(path, flags, run)
}

// FindingsSchema is the JSON Schema of what audit -f json prints.
//
//go:embed schema/findings.schema.json
var FindingsSchema string

// PlanSchema is that of what plan -o writes and plan -f json prints.
//
//go:embed schema/plan.schema.json
var PlanSchema string

// HostsSchema is that of hosts.yaml.
//
//go:embed schema/hosts.schema.json
var HostsSchema string

// withSchema gives a command the flag --schema, which prints a JSON Schema
// instead of running it.
func (a *commandLine) withSchema(c *cobra.Command, of, schema string) *cobra.Command {
	var asked bool
	c.Flags().BoolVar(&asked, "schema", false, "print the JSON Schema of "+of+" and exit")
	run := c.RunE
	c.RunE = func(c *cobra.Command, argv []string) error {
		if asked {
			return a.Print(schema)
		}
		return run(c, argv)
	}
	return c
}
