//go:build !linux

package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

var errNoLab = errors.New("the lab is made of Linux network namespaces: run it on a Linux machine")

func labHosts(string) (string, error) { return "", errNoLab }

func (a *app) lab() *cobra.Command {
	return &cobra.Command{
		Use: "lab", Short: "A PowerVM network on this machine (Linux only)", DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error { return errNoLab },
	}
}

func (a *app) demo() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "The whole loop on a lab (Linux only)", DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error { return errNoLab },
	}
}

// labNames would list labs, nodes and topologies.
func labNames() (labs, nodes, topologies func() []string) {
	none := func() []string { return nil }
	return none, none, none
}
