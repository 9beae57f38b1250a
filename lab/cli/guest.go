package cli

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/base/progress"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/ui/report"
	"seaworthy/internal/ui/report/doc"
	"seaworthy/lab"
	"seaworthy/lab/guest"
)

func (a *app) guest() *cobra.Command {
	var dir, name, join string
	var build bool
	c := &cobra.Command{
		Use:   "guest [KIND]",
		Short: "Boot a real Linux kernel as a host: a POWER9 partition or an x86 server, in QEMU; without KIND, list them",
		Long: `Guest boots Debian in QEMU and keeps it until Ctrl-C or its power-off. The first start
of a kind builds its image from Debian's packages, which takes minutes and root.
A reboot keeps what was written to the disk; the next start begins from the image.
With --join its second port is connected to a hypervisor switch of a running lab: the
guest then is one more partition of that managed system.`,
		Example: `  seaworthy lab guest pseries
  seaworthy lab guest pseries --join cec1
  seaworthy lab guest networkd --join cec1:20`,
		Args: command.Args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, argv []string) error {
			if len(argv) == 0 {
				return a.guests(dir)
			}
			k, ok := guest.ByName(argv[0])
			if !ok {
				return command.Usage("lab guest %s: no such kind; seaworthy lab guest lists them", argv[0])
			}
			if !guest.Built(k, dir) {
				t := progress.Begin(c.Context(), "making the image of "+k.Name, "", 0)
				err := guest.Build(c.Context(), k, dir, a.Stderr)
				t.End()
				if err != nil {
					return err
				}
			}
			if build {
				return nil
			}
			o := guest.Options{Dir: dir}
			if join != "" {
				port, err := joinSwitch(c.Context(), name, join)
				if err != nil {
					return err
				}
				defer port.Close()
				o.Port = port
			}
			return a.runGuest(c.Context(), k, o)
		},
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	c.Flags().StringVar(&dir, "dir", filepath.Join(cache, "seaworthy", "guests"), "`folder` of images")
	c.Flags().BoolVar(&build, "build", false, "build the image, boot nothing")
	c.Flags().StringVar(&join, "join", "",
		"`SYSTEM[:VLAN]` of a running lab whose hypervisor switch the guest's second port joins (default VLAN 1)")
	labFlag(c, &name)
	return c
}

func (a *app) guests(dir string) error {
	type row struct {
		Name  string `json:"name"`
		About string `json:"about"`
		Built bool   `json:"built"`
	}
	var rows []row
	t := doc.NewTable("guests", doc.Left("kind"), doc.Left("image"), doc.Left("what it is"))
	for _, k := range guest.Kinds() {
		r := row{k.Name, k.About, guest.Built(k, dir)}
		image := "not made yet"
		if r.Built {
			image = "made"
		}
		rows = append(rows, r)
		t.Add(r.Name, image, r.About)
	}
	return a.Answer(rows, func(p *report.Document) { p.Table(t) })
}

// joinSwitch makes a port of a hypervisor switch: of VLAN 1, unless the place names another.
func joinSwitch(ctx context.Context, name, place string) (*os.File, error) {
	system, tag, given := strings.Cut(place, ":")
	vlan := 1
	if given {
		var err error
		if vlan, err = strconv.Atoi(tag); err != nil {
			return nil, command.Usage("--join %s: %q is no VLAN", place, tag)
		}
	}
	l, err := lab.Open("", name)
	if err != nil {
		return nil, err
	}
	return l.Port(ctx, system, vlan)
}

func (a *app) runGuest(ctx context.Context, k guest.Kind, o guest.Options) error {
	var err error
	if o.State, err = fileio.MkdirTemp("", "seaworthy-guest-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.State)
	t := progress.Begin(ctx, "booting "+k.Name, "", 0)
	g, err := guest.Start(ctx, k, o)
	t.End()
	if err != nil {
		return err
	}
	defer g.Stop()
	about := struct {
		Name      string `json:"name"`
		SSHConfig string `json:"ssh_config"`
		Interface string `json:"interface"`
	}{k.Name, g.SSHConfig(), k.Interface}
	err = a.Answer(about, func(p *report.Document) {
		p.Line("guest %s is up, until Ctrl-C; its port in the lab is %s", k.Name, k.Interface)
		p.Line("  ssh -F %s %s", g.SSHConfig(), k.Name)
		p.Line("  seaworthy audit -F %s %s", g.SSHConfig(), k.Name)
	})
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-g.Ended():
	}
	return nil
}
