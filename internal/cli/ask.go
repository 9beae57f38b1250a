package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"seaworthy/internal/cli/command"
)

// ask wants a yes before something is begun, of a person at a terminal: what nobody is
// there to answer was decided before.
func (a *commandLine) ask(ctx context.Context, yes bool, question, otherwise string) error {
	in, typed := command.Terminal(a.Stdin)
	_, shown := command.Terminal(a.Stderr)
	if yes || !typed || !shown {
		return nil
	}
	fmt.Fprint(a.Stderr, question+" Type yes to go on: ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n')
		answer <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case line := <-answer:
		if line != "yes" {
			return command.Exit(command.ExitNo, fmt.Errorf("%s: the answer was not yes (--yes does not ask)", otherwise))
		}
	}
	return nil
}
