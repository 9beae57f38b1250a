package commands

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"text/template"

	"seaworthy/internal/base/decode"
	"seaworthy/lab/node"
	"seaworthy/lab/node/flags"
	"seaworthy/lab/odm"
	"seaworthy/lab/topology"
)

// runner answers a call whose flags were read and whose operands were counted. An
// error is printed: a flags.UsageError with the usage and status 2, any other with
// status 1.
type runner func(ctx context.Context, c *call) error

// call is a call of a command on a node, with what the node has.
type call struct {
	*node.Call
	*flags.Options
	sim    *node.Simulator
	sys    *topology.System
	config *topology.Node // the node in the topology
	db     *odm.Store
}

// exit is the status of a command that has printed why.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// fail prints an error, if there is one, the way the command's platform does and gives its exit status.
func fail(c *node.Call, err error) int {
	var refusal *odm.Error
	var status exit
	joined, several := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return 0
	case several:
		for _, e := range joined.Unwrap() {
			fail(c, e)
		}
		return 1
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, context.Canceled):
		return 1
	case !errors.As(err, &refusal):
		fmt.Fprintf(c.Stderr, "%s: %v\n", c.Argv[0], err)
		return 1
	}
	text := refusal.Message(c.Argv[0])
	if c.VIOS {
		text = "\nioscli passes on what AIX says, with the names that root would use:\n\n" + text + "\n"
	}
	fmt.Fprint(c.Stderr, text)
	return 1
}

//go:embed answers.tmpl
var answersText string

var answers = template.Must(template.New("").Funcs(template.FuncMap{
	"mask": func(p netip.Prefix) net.IP { return net.IP(net.CIDRMask(p.Bits(), 32)) },
}).Parse(answersText))

// answer prints one of answers.tmpl.
func (c *call) answer(name string, values any) error {
	return answers.ExecuteTemplate(c.Stdout, name, values)
}

// readYAML reads an embedded YAML file.
func readYAML[T any](text []byte, out T) T {
	if err := decode.YAML("embedded table", text, &out); err != nil {
		panic(err) // every test reads it
	}
	return out
}
