package node

import (
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
