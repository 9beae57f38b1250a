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
			names := []string{name}
			var failed error
			if all {
				names = nil
				var labs []*lab.Lab
				labs, failed = lab.List("")
				for _, l := range labs {
					names = append(names, l.Name)
				}
			} else if name == "" {
				l, err := lab.Open("", "")
				if err != nil {
					return err
				}
				names = []string{l.Name}
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
