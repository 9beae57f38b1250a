package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"seaworthy/document"
)

// faultsEvery is the least time between two questions to a lab.
const faultsEvery = 2 * time.Second

// labFaults asks a running lab what is broken in it; an empty name means the
// only one that runs. Only the lab's program knows.
func labFaults(name string) func(context.Context) ([]string, error) {
	var asked time.Time
	var last []string
	var failed error
	return func(ctx context.Context) ([]string, error) {
		if time.Since(asked) >= faultsEvery {
			last, failed = askFaults(ctx, name)
			asked = time.Now()
		}
		return last, failed
	}
}

func askFaults(ctx context.Context, name string) ([]string, error) {
	path, err := findLab()
	if err != nil {
		return nil, err
	}
	argv := []string{"lab", "break", "-f", "json"}
	if name != "" {
		argv = append(argv, "--lab", name)
	}
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	text, err := exec.CommandContext(ctx, path, argv...).Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
			err = errors.New(strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, fmt.Errorf("%s %s: %w", labProgram, strings.Join(argv, " "), err)
	}
	var got struct {
		Broken []struct {
			Kind   string `json:"kind"`
			Target string `json:"target"`
			Value  string `json:"value"`
		} `json:"broken"`
	}
	if err := document.JSON("faults", text, &got, document.Newer); err != nil {
		return nil, err
	}
	var out []string
	for _, f := range got.Broken {
		out = append(out, strings.TrimSpace(f.Target+" "+f.Kind+" "+f.Value))
	}
	return out, nil
}
