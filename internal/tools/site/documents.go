package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// beside are the pages of the repository outside docs, and what they are called on the site.
var beside = map[string]string{
	"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "vulnerabilities.md",
}

// siteFolder has the pages that are written for the site alone.
const siteFolder = "docs/site"

// documents are the pages that people wrote, their links led to where the site has what they mean.
func documents(root string, made pages) (pages, error) {
	names := map[string]string{"README.md": "index.md"} // of the site, by path in the repository
	for file, name := range beside {
		names[file] = name
	}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		name := strings.TrimPrefix(strings.TrimPrefix(rel, siteFolder+"/"), "docs/")
		if onSite(rel) {
			names[rel] = name
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the pages of docs: %w", err)
	}
	for name := range made {
		names[siteFolder+"/"+name] = name
	}
	out := pages{}
	for file, name := range names {
		if file == "README.md" || made[name] != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return nil, fmt.Errorf("read a page: %w", err)
		}
		if path.Ext(name) == ".md" {
			text = []byte(relinked(drawn(string(text)), file, name, names))
		}
		out[name] = text
	}
	return out, nil
}

// onSite says whether a file of docs is a page of the site, or a part of one.
func onSite(file string) bool {
	switch path.Ext(file) {
	case ".md", ".svg", ".png", ".tsv", ".css", ".js":
		return true
	}
	return false
}

var link = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)`)

// relinked leads the links of a page to where the site has their files. What the site does not have, as source
// files, is named without a link.
func relinked(text, file, name string, names map[string]string) string {
	return link.ReplaceAllStringFunc(text, func(whole string) string {
		m := link.FindStringSubmatch(whole)
		if m[3] == "" || strings.Contains(m[3], "://") {
			return whole
		}
		target := path.Join(path.Dir(file), m[3])
		to, ok := names[target]
		if !ok {
			return m[2] + " (`" + target + "`)"
		}
		return m[1] + "[" + m[2] + "](" + relative(name, to) + m[4] + ")"
	})
}

// relative is the way from one page to another.
func relative(from, to string) string {
	way, err := filepath.Rel(path.Dir("/"+from), "/"+to)
	if err != nil { // two absolute paths always have one
		return to
	}
	return filepath.ToSlash(way)
}

var (
	mermaid = regexp.MustCompile("(?s)```mermaid\ngraph TD\n(.*?)```\n")
	named   = regexp.MustCompile(`(?m)^  (\w+)\["([^"]+)"\]$`)
	arrow   = regexp.MustCompile(`(?m)^  (\w+) --> (\w+)$`)
)

// drawn turns graphs of Mermaid into tables: what draws them would have to come from another host.
func drawn(text string) string {
	return mermaid.ReplaceAllStringFunc(text, func(graph string) string {
		titles := map[string]string{}
		for _, m := range named.FindAllStringSubmatch(graph, -1) {
			titles[m[1]] = m[2]
		}
		title := func(id string) string {
			if titles[id] == "" {
				return "`" + id + "`"
			}
			return "`" + titles[id] + "`"
		}
		var order []string
		below := map[string][]string{}
		for _, m := range arrow.FindAllStringSubmatch(graph, -1) {
			if below[m[1]] == nil {
				order = append(order, m[1])
			}
			below[m[1]] = append(below[m[1]], title(m[2]))
		}
		var b strings.Builder
		b.WriteString("| layer | imports |\n| --- | --- |\n")
		for _, id := range order {
			fmt.Fprintf(&b, "| %s | %s |\n", title(id), strings.Join(below[id], ", "))
		}
		return b.String()
	})
}
