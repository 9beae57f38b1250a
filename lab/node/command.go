package node

import "seaworthy/lab/call"

// Call and Command are what the nodes' commands are made of; they stand where
// the program that only passes calls on can have them without the rest.
type (
	Call    = call.Call
	Command = call.Command
)
