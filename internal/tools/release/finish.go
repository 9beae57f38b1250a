package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"

	"seaworthy/internal/base/fileio"
)

// writeBill writes the bill of materials of a program: the modules that the Go tool recorded in it, with their checksums.
func (r *Release) writeBill(program, to string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	name := filepath.Base(program)
	components := []cyclonedx.Component{{
		BOMRef: "pkg:golang/std@" + info.GoVersion, Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion,
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		url := "pkg:golang/" + m.Path + "@" + m.Version
		components = append(components, cyclonedx.Component{
			BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url,
			Properties: &[]cyclonedx.Property{{Name: "go:sum", Value: m.Sum}},
		})
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
