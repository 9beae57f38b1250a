package commands

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"golang.org/x/term"

	"seaworthy/lab/node"
	"seaworthy/lab/rootfs"
	"seaworthy/lab/rpc"
)

// topasScreen asks the supervisor for one view. On a terminal it does so again and
// again, until q or Ctrl-C.
func topasScreen(ctx context.Context, c *node.Call) int {
	once := func(out, errs *bytes.Buffer) int {
		exit, err := rpc.Do(rootfs.Control, rpc.Request{User: c.User, Argv: c.Argv, VIOS: c.VIOS}, c.Stdin, out, errs)
		if err != nil {
			fmt.Fprintln(errs, err)
			return 1
		}
		return exit
	}
	var out, errs bytes.Buffer
	screen, ok := c.Stdout.(*os.File)
	keys, ok2 := c.Stdin.(*os.File)
	if !ok || !ok2 || !term.IsTerminal(int(screen.Fd())) || !term.IsTerminal(int(keys.Fd())) {
		exit := once(&out, &errs)
		_, _ = c.Stdout.Write(out.Bytes())
		_, _ = c.Stderr.Write(errs.Bytes())
		return exit
	}
	earlier, err := term.MakeRaw(int(keys.Fd()))
	if err != nil {
		fmt.Fprintf(c.Stderr, "topas: %v\n", err)
		return 1
	}
	defer func() { _ = term.Restore(int(keys.Fd()), earlier) }()
	quit := make(chan struct{})
	go func() {
		defer close(quit)
		b := make([]byte, 1)
		for {
			if n, err := keys.Read(b); err != nil || n == 1 && (b[0] == 'q' || b[0] == 3) {
				return
			}
		}
	}()
	const clear = "\x1b[H\x1b[J"
	fmt.Fprintf(screen, "%sTopas Monitor for host: %20s   measuring, q quits\r\n", clear, c.Node)
	for {
		shown := make(chan int, 1)
		go func() {
			out.Reset()
			errs.Reset()
			shown <- once(&out, &errs)
		}()
		select {
		case <-ctx.Done():
			return 0
		case <-quit:
			return 0
		case exit := <-shown:
			text := append([]byte(clear), bytes.ReplaceAll(append(out.Bytes(), errs.Bytes()...), []byte("\n"), []byte("\r\n"))...)
			_, _ = screen.Write(text)
			if exit != 0 {
				return exit
			}
		}
	}
}
