package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"seaworthy/internal/base/fileio"
)

// pages are the files of the site by their path below its root: rules/R001.md.
type pages map[string][]byte

// assemble writes the sources of the whole site to a folder, in place of what it held.
func assemble(root, out string) error {
	all, err := collect(root)
	if err != nil {
		return err
	}
	err = os.RemoveAll(out)
	if err != nil {
		return fmt.Errorf("empty the folder of pages: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		file := filepath.Join(out, filepath.FromSlash(name))
		_, err := fileio.MkdirAll(filepath.Dir(file))
		if err == nil {
			err = fileio.WriteUnsynced(file, all[name])
		}
		if err != nil {
			return fmt.Errorf("write page %s: %w", name, err)
		}
	}
	return nil
}

// collect makes all pages from the repository in a folder.
func collect(root string) (pages, error) {
	made, err := generated()
	if err != nil {
		return nil, err
	}
	written, err := documents(root, made)
	if err != nil {
		return nil, err
	}
	maps.Copy(made, written)
	return made, nil
}
