package cli

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/watchdog"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/measure"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/sshhost"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/tune"
)

// app is what every subcommand needs.
type app struct {
	*command.App
	args      []string // the whole command line
	inventory string   // -i
	sshConfig string   // -F

	become          string
	maxAuthFailures int
	run             func() *targets.Run // of this command line

	roundTrips bool // between live hosts are measured
}

// Main runs one command line and returns its exit status.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{App: command.New("seaworthy", stdin, stdout, stderr), args: args}
	a.run = sync.OnceValue(func() *targets.Run {
		run := targets.NewRun(a.maxAuthFailures)
		run.OnNotice(func(text string) { a.Notice("%s", text) })
		return run
	})
	if aboutLab(args) {
		args = args[1:2]
	}
	return a.Run(ctx, a.root(), args)
}

func (a *app) root() *cobra.Command {
	a.maxAuthFailures = sshhost.DefaultMaxAuthFailures
	root := a.command("seaworthy", command.Flags{"inventory": &a.inventory, "ssh-config": &a.sshConfig, "become": &a.become,
		"max-auth-failures": &a.maxAuthFailures}, nil)
	root.PersistentFlags().AddFlagSet(root.Flags())
	root.AddCommand(a.inLab()...)
	root.AddCommand(
		a.collect(), a.importing(), a.inventoryList(), a.show(), a.top(), a.diagnose(), a.audit(), a.diff(), a.rules(), a.attributes(),
		a.plan(), a.predict(), a.tune(), a.apply(), a.confirm(), a.rollback(), a.status(), a.cleanup(), a.probe(),
		a.bench(), a.report(), a.serve(), a.supportBundle(), a.man(), a.doctor(), a.Version(),
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
func (a *app) command(path string, flags command.Flags, run func(c *cobra.Command, argv []string) error) *cobra.Command {
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
func (a *app) withSchema(c *cobra.Command, of, schema string) *cobra.Command {
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

func (a *app) man() *cobra.Command {
	return a.command("man", nil, func(c *cobra.Command, argv []string) error {
		made, err := fileio.MkdirAll(argv[0])
		if err != nil {
			return fmt.Errorf("man: %w", err)
		}
		defer made.Undo() // if nothing could be written
		return manPages(c.Root(), argv[0])
	})
}

// manPages writes the page of a command and of all below it.
func manPages(c *cobra.Command, dir string) error {
	var page bytes.Buffer
	if err := doc.GenMan(c, &doc.GenManHeader{Title: "SEAWORTHY", Section: "1", Source: "seaworthy"}, &page); err != nil {
		return fmt.Errorf("man: %s: %w", c.CommandPath(), err)
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	if err := fileio.WritePublic(filepath.Join(dir, name), page.Bytes()); err != nil {
		return fmt.Errorf("man: %w", err)
	}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := manPages(sub, dir); err != nil {
			return err
		}
	}
	return nil
}
