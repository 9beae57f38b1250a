package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"seaworthy/internal/cli/command"
	"seaworthy/lab"
)

func (a *app) exec() *cobra.Command {
	var f labFlags
	c := &cobra.Command{
		Use:   "exec NODE -- COMMAND...",
		Short: "Run a command line on a node, as a login there would",
		Long: `Exec runs a command line on a node and ends with the command's exit status.
Words are joined with blanks, as ssh does: quote what the node's shell must see as one.`,
		Example: "  seaworthy lab exec lpar1 -- 'chdev -l en0 -a mtu_bypass=on; lsattr -El en0 | grep mtu_bypass'",
		Args:    command.Args(cobra.MinimumNArgs(2)),
		RunE: func(c *cobra.Command, argv []string) error {
			// Flags may also stand behind the node; the command's own are left alone.
			rest := &cobra.Command{Use: "exec"}
			rest.Flags().SetInterspersed(false)
			f.add(rest)
			if err := rest.ParseFlags(argv[1:]); err != nil {
				return command.Usage("lab exec: %w", err)
			}
			l, err := lab.Open("", f.lab)
			if err != nil {
				return err
			}
			words := rest.Flags().Args()
			if len(words) == 0 {
				return command.Usage("lab exec %s: no command given", argv[0])
			}
			exit, err := l.Exec(c.Context(), argv[0], f.user, strings.Join(words, " "),
				lab.Stdio{In: a.input(), Out: a.Stdout, Err: a.Stderr})
			return ended(exit, err)
		},
	}
	c.Flags().SetInterspersed(false)
	f.add(c)
	return c
}

// input is stdin, but not a terminal: a command that does not read must not
// hang there.
func (a *app) input() io.Reader {
	if terminal(a.Stdin) != nil {
		return nil
	}
	return a.Stdin
}

// terminal is a stream that is one, else nil.
func terminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

func (a *app) shell() *cobra.Command {
	var f labFlags
	c := &cobra.Command{
		Use: "shell NODE", Short: "A login shell on a node", Args: command.Args(cobra.ExactArgs(1)),
		RunE: withLab(&f.lab, func(c *cobra.Command, l *lab.Lab, argv []string) error {
			streams := lab.Stdio{In: a.Stdin, Out: a.Stdout, Err: a.Stderr, Terminal: terminal(a.Stdin)}
			return ended(l.Exec(c.Context(), argv[0], f.user, "", streams))
		}),
	}
	f.add(c)
	return c
}

// ended makes the exit status of a command on a node our own.
func ended(exit int, err error) error {
	if err != nil || exit == 0 {
		return err
	}
	return command.Exit(exit, nil)
}

func (a *app) sshConfig() *cobra.Command {
	var f labFlags
	var path bool
	c := &cobra.Command{
		Use:   "ssh-config [LAB]",
		Short: "Print a configuration with which ssh logs in to the nodes",
		Long: `Ssh-config prints the configuration, or with --path the name of the file that holds
it while the lab runs. OpenSSH closes all inherited files but its three streams, so
ssh -F <(...) finds nothing: use --path, or ssh -F /dev/stdin.`,
		Example: `  ssh -F $(seaworthy lab ssh-config --path) lpar1 'lsattr -El en0 | grep mtu'
  ssh -F /dev/stdin lpar1 oslevel -s < <(seaworthy lab ssh-config)`,
		Args: named(&f.lab),
		RunE: withLab(&f.lab, func(_ *cobra.Command, l *lab.Lab, _ []string) error {
			if path {
				return a.Print(l.SSHConfig() + "\n")
			}
			text, err := os.ReadFile(l.SSHConfig())
			if err != nil {
				return fmt.Errorf("lab %s: %w", l.Name, err)
			}
			_, err = a.Stdout.Write(text)
			return err
		}),
	}
	labFlag(c, &f.lab)
	c.Flags().BoolVar(&path, "path", false, "print the name of the file instead")
	return c
}
