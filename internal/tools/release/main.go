// Command release builds what a release is made of, in the repository's root:
//
//	go run ./internal/tools/release -version 0.1.0 -o out/release
//
// Debian and RPM packages of seaworthy and seaworthy-lab for Linux on x86-64, ARM and POWER, an RPM and an archive of
// seaworthy-probe for AIX, archives for macOS, a bill of materials of each program (CycloneDX), SHA256SUMS, and, with a key,
// its signature. The same source gives the same bytes: no time but that of the commit goes into a file. make packages and
// make release call it; docs/releasing.md tells how a release is made and verified.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, argv []string) error {
	var r Release
	var platforms string
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&r.Version, "version", "", "`version` of the release, as 0.1.0; empty: of the source as it is, unreleased")
	flags.StringVar(&r.Dir, "o", "out/release", "`folder` to write to; what it holds of an earlier build is replaced")
	flags.StringVar(&r.Key, "key", "", "`file` of the SSH key that signs SHA256SUMS; empty: no signature")
	flags.StringVar(&r.Maintainer, "maintainer", "The seaworthy maintainers <maintainers@seaworthy.invalid>",
		"`name <address>` in the packages")
	flags.StringVar(&platforms, "platforms", "", "only these `platforms`, with commas between them: linux/amd64,aix/ppc64; empty: all")
	err := flags.Parse(argv)
	if err != nil {
		return err
	}
	r.Dir, err = filepath.Abs(r.Dir)
	if err != nil {
		return err
	}
	err = r.readSource(ctx)
	if err != nil {
		return err
	}
	only := strings.FieldsFunc(platforms, func(c rune) bool { return c == ',' })
	files, err := r.Build(ctx, only)
	if err != nil {
		return err
	}
	for _, f := range files {
		slog.Info("made", "file", filepath.Join(r.Dir, f))
	}
	return nil
}
