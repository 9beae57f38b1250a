// Command benchmarks measures the built program on this machine and writes
// what docs/benchmarks.md holds: how long a lab takes to come and go, what the
// demo takes and shows, how the built-in load compares with other tools on the
// same path, how fast hosts are read, audited and changed, and how the published
// experiments come out.
//
// It runs the program as a user would: benchmarks.yaml holds the command lines
// of every section. No figure passes or fails here.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// suite is what every measurement needs.
type suite struct {
	program string
	out     string // folder for the page and the results that it shows
	state   string // folder for labs, journals and files, gone at the end
	quick   bool
	page    page
}

func main() {
	var s suite
	only := flag.String("only", "", "comma-separated `sections`; all without it")
	flag.StringVar(&s.program, "program", "bin/seaworthy", "the built program")
	flag.StringVar(&s.out, "o", "out", "folder for the page and the raw results")
	flag.BoolVar(&s.quick, "quick", false, "fewer repetitions, to try the program itself")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := s.run(ctx, *only); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

func (s *suite) run(ctx context.Context, only string) (err error) {
	all, err := sections()
	if err != nil {
		return err
	}
	for _, path := range []*string{&s.program, &s.out} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(s.out, 0o755); err != nil {
		return err
	}
	if s.state, err = os.MkdirTemp("", "seaworthy-benchmarks-"); err != nil {
		return err
	}
	defer os.RemoveAll(s.state)
	s.page.machine(ctx)
	var failed error
	for _, x := range all {
		if only != "" && !slices.Contains(strings.Split(only, ","), x.Name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().Format("15:04:05"), x.Name)
		if err := s.section(ctx, x); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", x.Name, err))
			s.page.say("\n%s was not measured to its end: %v", x.Name, err)
		}
	}
	file := filepath.Join(s.out, "benchmarks.md")
	if err := os.WriteFile(file, []byte(s.page.String()), 0o644); err != nil {
		return err
	}
	fmt.Println(file)
	return failed
}
