package commands

import (
	"context"
	"fmt"
	"strconv"

	"seaworthy/internal/parse/linewise"
	"seaworthy/lab/node/flags"
)

func emgrCommand() command {
	return command{
		run: runEmgr,
		aix: &form{flags: "lv:L:", usage: `emgr -l`},
	}
}

// runEmgr lists interim fixes: a lab has none.
func runEmgr(_ context.Context, c *call) error {
	if !c.Has("l") {
		return flags.Usagef("in this lab it only lists: -l")
	}
	fmt.Fprintln(c.Stdout, "There is no efix data on this system.")
	return nil
}

func lslppCommand() command {
	return command{
		run: runLslpp,
		aix: &form{flags: "Lcq", operands: anyNumber, usage: `lslpp -Lc [-q] [Fileset...]`},
	}
}

// runLslpp lists the base alone, by the level of the node: no other fileset is installed in a lab.
func runLslpp(_ context.Context, c *call) error {
	if !c.Has("L") || !c.Has("c") {
		return flags.Usagef("in this lab it only lists in columns, -Lc; the level as a whole: oslevel -s")
	}
	levels, err := linewise.ParseOslevel([]byte(c.config.Level + "\n"))
	if err != nil || len(levels.Levels) != 1 || levels.Levels[0].TechLevel == nil {
		return fmt.Errorf("the level %q of the topology names no technology level", c.config.Level)
	}
	l := levels.Levels[0]
	version := strconv.Itoa(l.Version)
	fmt.Fprintf(c.Stdout, "bos.mp64:bos.mp64:%s.%s.%d.0: : :C: :Base Operating System 64-bit Multiprocessor Runtime: : : : : : :0:0:/:\n",
		version[:1], version[1:2], *l.TechLevel)
	return nil
}

func lsmcodeCommand() command {
	return command{
		run: runLsmcode,
		aix: &form{flags: "cAd:", usage: `lsmcode -c`},
	}
}

// runLsmcode names the firmware of the system: a lab has none of IBM's.
func runLsmcode(_ context.Context, c *call) error {
	fmt.Fprintln(c.Stdout, "Platform Firmware level is LAB_000")
	return nil
}
