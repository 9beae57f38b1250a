package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"seaworthy/internal/knowledge"
	"seaworthy/lab/node"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/supervisor"
)

// The test program is its own supervisor and its own lab command.
func TestMain(m *testing.M) {
	if handled, exit := Main(os.Args, fake()); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// fake is a small backend: it shows that calls reach the right node with
// everything they carry.
func fake() supervisor.Backend {
	served := map[string]node.Command{
		"lsattr": func(_ context.Context, c *node.Call) int {
			fmt.Fprintf(c.Stdout, "%s %s vios=%v %s\n", c.Node, c.User, c.VIOS, strings.Join(c.Argv, " "))
			return 0
		},
		"cat_upper": func(_ context.Context, c *node.Call) int {
			b, err := io.ReadAll(c.Stdin)
			if err != nil {
				fmt.Fprintln(c.Stderr, err)
				return 1
			}
			io.WriteString(c.Stdout, strings.ToUpper(string(b)))
			return 4
		},
		"ioslevel": func(_ context.Context, c *node.Call) int {
			fmt.Fprintln(c.Stdout, "3.1.2.21")
			return 0
		},
	}
	return supervisor.Backend{
		Build: func(ctx context.Context, s *supervisor.LabState) (*supervisor.Served, error) {
			c, err := knowledge.Load()
			if err != nil {
				return nil, err
			}
			w, err := node.New(s.Topology, c, s.Network)
			if err != nil {
				return nil, err
			}
			if err := w.Start(ctx); err != nil {
				return nil, err
			}
			served["rootshell"] = s.Shell
			served["restart"] = func(ctx context.Context, c *node.Call) int {
				if err := s.Reboot(ctx, c.Node); err != nil {
					fmt.Fprintln(c.Stderr, err)
					return 1
				}
				return 0
			}
			return &supervisor.Served{
				Commands: served,
				Queries: map[string]func(context.Context, json.RawMessage) (any, error){
					"cpu": func(context.Context, json.RawMessage) (any, error) {
						user, system, ok := s.CPU("lpar1")
						if !ok {
							return nil, errors.New("cannot be reached")
						}
						return user + system, nil
					},
					"bounds": func(context.Context, json.RawMessage) (any, error) {
						return map[string]string{"bounds": s.NoBounds}, nil
					},
					"effects": func(_ context.Context, args json.RawMessage) (any, error) {
						return map[string]any{"args": string(args), "nodes": len(s.Topology.Systems)}, nil
					},
				},
			}, nil
		},
		Answer: func() []byte { return nil },
		Names: func() rootfs.Commands {
			both := []string{"lsattr", "cat_upper", "rootshell", "restart"}
			return rootfs.Commands{AIX: append(both[:4:4], "whereami"), IOS: append(both[:4:4], "ioscli", "ioslevel", "oem_setup_env"),
				Own: []string{"whereami"}}
		},
		Local: map[string]node.Command{
			"whereami": func(_ context.Context, c *node.Call) int {
				fmt.Fprintf(c.Stdout, "%s %s %d\n", c.Node, c.User, os.Getuid())
				return 0
			},
		},
	}
}
