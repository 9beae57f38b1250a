package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"seaworthy/lab"
)

func (a *app) down() *cobra.Command {
	var all bool
	var name string
	c := &cobra.Command{
		Use:   "down [NAME]",
		Short: "Stop a lab and remove everything it created",
		Args:  named(&name),
		RunE: func(c *cobra.Command, _ []string) error {
			var names []string
			var failed error
			switch {
			case all:
				labs, err := lab.List("")
				for _, l := range labs {
					names = append(names, l.Name)
				}
				failed = err
			case name == "":
				l, err := lab.Open("", "")
				if err != nil {
					return err
				}
				names = []string{l.Name}
			default:
				names = []string{name}
			}
			for _, n := range names {
				if err := lab.Down(c.Context(), "", n); err != nil {
					failed = errors.Join(failed, err)
					continue
				}
				a.Notice("lab %s is down", n)
			}
			return failed
		},
	}
	c.Flags().BoolVar(&all, "all", false, "every running lab")
	labFlag(c, &name)
	return c
}
