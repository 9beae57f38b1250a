package cli_test

import (
	"strings"
	"testing"

	"seaworthy/lab/cli"
)

// Anyone who started a lab with --name calls it so with every other verb, too.
func TestLabIsNamedAlike(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	for _, verb := range []string{"down", "exec x -- y", "shell x", "break", "mend", "prove largesend a b", "cpu", "effects", "ssh-config"} {
		for _, flag := range []string{"--lab", "--name"} {
			words := strings.Fields(verb)
			args := append([]string{"lab", words[0], flag, "nosuchlab"}, words[1:]...)
			var out, errs strings.Builder
			if exit := cli.Main(t.Context(), args, strings.NewReader(""), &out, &errs); exit != 1 || !strings.Contains(errs.String(), "nosuchlab") {
				t.Errorf("%s: got exit %d, %q, want 1 and word of nosuchlab", strings.Join(args, " "), exit, errs.String())
			}
		}
	}
}
