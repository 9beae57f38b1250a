package node

import "seaworthy/lab/rpc"

// Call and Command are what the nodes' commands are made of; they stand where
// the program that only passes calls on can have them without the rest.
type (
	Call    = rpc.Call
	Command = rpc.Command
)
