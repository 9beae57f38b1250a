package commands

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"seaworthy/internal/parse/linewise"
)

func oslevelCommand() command {
	return command{
		run: runOslevel,
		aix: &form{
			flags:    "srqgl:f",
			operands: anyNumber,
			usage:    `oslevel [-s | -r] [-q]`,
		},
	}
}

func runOslevel(_ context.Context, c *call) error {
	out, err := linewise.ParseOslevel([]byte(c.config.Level + "\n"))
	if err != nil || len(out.Levels) != 1 {
		return fmt.Errorf("the level %q of the topology is none", c.config.Level)
	}
	l := out.Levels[0]
	switch {
	case c.Has("s"):
	case c.Has("r"):
		l.ServicePack, l.Week = nil, nil
	default:
		l = linewise.AIXLevel{Version: l.Version, Dotted: strings.Join(strings.Split(strconv.Itoa(l.Version), ""), ".")}
	}
	if c.Has("q") {
		fmt.Fprint(c.Stdout, "Known Service Packs\n-------------------\n")
	}
	fmt.Fprintln(c.Stdout, l)
	return nil
}
