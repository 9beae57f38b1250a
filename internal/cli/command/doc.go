// Package command every subcommand shares, in seaworthy and in
// seaworthy-lab: exit statuses, the flags that all of them have, the ways to
// print a result, progress on stderr, and files that are written whole or not
// at all.
//
//	a := command.New("seaworthy", os.Stdin, os.Stdout, os.Stderr)
//	root := &cobra.Command{Use: "seaworthy"}
//	root.AddCommand(command.Group("show", "Show hosts and paths", showHost(a), showPath(a)))
//	os.Exit(a.Run(ctx, root, os.Args[1:]))
//
// A subcommand ends with a.Answer, which prints its result in the format that
// -f asks for, and returns nil, an error, or command.Exit for a status of its
// own.
package command
