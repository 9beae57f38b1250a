package node

import (
	_ "embed"
	"net"
	"net/netip"
	"text/template"

	"seaworthy/document"
	"seaworthy/lab/rpc"
)

// Call and Command are what the nodes' commands are made of; they stand where
// the program that only passes calls on can have them without the rest.
type (
	Call    = rpc.Call
	Command = rpc.Command
)

// table reads an embedded YAML file.
func table[T any](text []byte, out T) T {
	if err := document.YAML("embedded table", text, &out); err != nil {
		panic(err) // every test reads it
	}
	return out
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
