package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"

	"seaworthy/internal/base/fileio"
)

// writeBill writes the bill of materials of a program on a platform: the modules that it is built from, with their checksums.
func (r *Release) writeBill(ctx context.Context, p platform, name, to string) error {
	system, arch := p.split()
	const modules = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Sum}}{{end}}{{end}}"
	c := exec.CommandContext(ctx, "go", "list", "-deps", "-f", modules, "./cmd/"+name)
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	std := strings.TrimPrefix(runtime.Version(), "go")
	components := []cyclonedx.Component{module("std", std, "")}
	for _, line := range slices.Compact(slices.Sorted(strings.Lines(string(out)))) {
		var path, version, sum string
		_, err := fmt.Sscan(line, &path, &version, &sum)
		if err != nil {
			return fmt.Errorf("%s: %q: %w", strings.Join(c.Args, " "), line, err)
		}
		components = append(components, module(path, version, sum))
	}
	bill := cyclonedx.NewBOM()
	bill.Metadata = &cyclonedx.Metadata{
		Timestamp: r.commit.Format("2006-01-02T15:04:05Z"),
		Component: &cyclonedx.Component{BOMRef: name, Type: cyclonedx.ComponentTypeApplication, Name: name, Version: r.Version},
	}
	bill.Components = &components
	var text bytes.Buffer
	err = cyclonedx.NewBOMEncoder(&text, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bill)
	if err != nil {
		return err
	}
	return writePaper(to, text.Bytes())
}

// module is a component of a bill.
func module(path, version, sum string) cyclonedx.Component {
	url := "pkg:golang/" + path + "@" + version
	c := cyclonedx.Component{BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: url}
	if sum != "" {
		c.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: sum}}
	}
	return c
}

// finish writes the notes, the checksums and the signature, and returns the names of all files.
func (r *Release) finish(ctx context.Context) ([]string, error) {
	err := fileio.WritePublic(filepath.Join(r.Dir, "NOTES.md"), []byte("# seaworthy "+r.Version+"\n\n"+r.notes))
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return nil, err
	}
	var names []string
	var sums strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(r.Dir, e.Name()))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), e.Name())
		names = append(names, e.Name())
	}
	list := filepath.Join(r.Dir, "SHA256SUMS")
	err = fileio.WritePublic(list, []byte(sums.String()))
	if err != nil {
		return nil, err
	}
	names = append(names, "SHA256SUMS")
	if r.Key == "" {
		return names, nil
	}
	err = quietly(exec.CommandContext(ctx, "ssh-keygen", "-Y", "sign", "-f", r.Key, "-n", "seaworthy", list))
	if err != nil {
		return nil, err
	}
	return append(names, "SHA256SUMS.sig"), nil
}
