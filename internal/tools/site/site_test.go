package main

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linkTo     = regexp.MustCompile(`\]\(<?([^)\s>]+)>?\)`)
	fence      = regexp.MustCompile("(?ms)^```.*?^```$")
	codeBlock  = regexp.MustCompile(`(?m)^    .*$`)
	codeInLine = regexp.MustCompile("`[^`\n]+`")
	givenID    = regexp.MustCompile(`\{ #([^ }]+) \}`)
	heading    = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInSlug  = regexp.MustCompile(`[^a-z0-9_ -]`)
)

// Each link of a page leads to a page of the site, and to a heading there. mkdocs build --strict asks the same of
// what it makes of them.
func TestLinks(t *testing.T) {
	all, err := collect("../../..")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, text := range all {
		if path.Ext(name) == ".md" {
			s := fence.ReplaceAllString(string(text), "")
			texts[name] = codeInLine.ReplaceAllString(codeBlock.ReplaceAllString(s, ""), "")
		}
	}
	links := 0
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, m := range linkTo.FindAllStringSubmatch(texts[name], -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			links++
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			switch {
			case all[to] == nil:
				t.Errorf("%s: link to %s: there is no such page", name, m[1])
			case anchor != "" && path.Ext(to) == ".md" && !hasAnchor(string(all[to]), anchor):
				t.Errorf("%s: link to %s: no heading there has this anchor", name, m[1])
			}
		}
	}
	if links < 2000 {
		t.Errorf("got %d links, want those of more than 250 rules", links)
	}
}

// hasAnchor says whether a page has a heading that an anchor means.
func hasAnchor(text, anchor string) bool {
	for _, m := range givenID.FindAllStringSubmatch(text, -1) {
		if m[1] == anchor {
			return true
		}
	}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		slug := notInSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(m[1])), "")
		if strings.Join(strings.Fields(slug), "-") == anchor {
			return true
		}
	}
	return false
}

// Every rule, attribute, cause and known defect has its place, with what a reader needs to judge it.
func TestCatalogueIsWhole(t *testing.T) {
	made, err := generated()
	if err != nil {
		t.Fatal(err)
	}
	c, err := readCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	has := func(page string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(string(made[page]), text) {
				t.Errorf("%s lacks %q", page, text)
			}
		}
	}
	for _, r := range c.Rules {
		page := "rules/" + r.ID + ".md"
		has(page, "## Why", c.linked("../", r.Why), "## When it is a finding", "## Remedy", "## Sources", "## Related", "rules show "+r.ID)
		has("rules/index.md", "["+r.ID+"]("+r.ID+".md)")
		for _, caution := range r.Cautions {
			has(page, c.linked("../", caution))
		}
		if r.Effect != "" {
			has(page, c.linked("../", r.Effect))
		}
	}
	for _, a := range c.Attributes {
		has(a.Page(), "# "+plain(a.Name), "| default |", "Sources", "attributes show "+a.Name)
		has("attributes/index.md", "]("+fileName(a.Name)+".md)")
	}
	for _, cause := range c.Causes {
		has("causes.md", plain(cause.Title), "{ #"+strings.ToLower(cause.ID)+" }")
	}
	for _, d := range c.Defects {
		has("defects/index.md", plain(d.Title))
		has("defects/"+c.DefectPage(d), plain(d.ID), plain(d.Title), plain(d.Cure))
	}
}

// What is needed to judge a rule is found in its expressions, also behind properties that are defined by others.
func TestEvidence(t *testing.T) {
	c, err := readCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	got := c.evidence["R001"]
	if !slices.Contains(got.Attributes, "mtu_bypass") {
		t.Errorf("R001 asks for el.largesend, which asks for mtu_bypass; got %q", got.Attributes)
	}
	if !slices.Contains(got.Protocols, "tcp.packets_sent.large_sends") || !slices.Contains(got.Counters, "tx.Bytes") {
		t.Errorf("R001 asks for large sends of TCP and bytes of the adapter; got %q, %q", got.Protocols, got.Counters)
	}
	if got := c.evidence["R026"].Counters; !slices.Contains(got, "Hypervisor Receive Failures") {
		t.Errorf("R026 asks for one of two counters; got %q", got)
	}
}

// A text of the catalogue is never markup.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a_b *c* <d> | e": "a&#95;b &#42;c&#42; &#60;d&#62; &#124; e",
		"- no list":       "&#45; no list",
		"1. no list":      "1&#46; no list",
		"MTU 1500-byte":   "MTU 1500-byte",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestRelinked(t *testing.T) {
	names := map[string]string{"docs/guide.md": "guide.md", "SECURITY.md": "vulnerabilities.md", "docs/site/rules/R001.md": "rules/R001.md"}
	for text, want := range map[string]string{
		"[a](guide.md#x)":          "[a](../guide.md#x)",
		"[a](../SECURITY.md)":      "[a](../vulnerabilities.md)",
		"[a](site/rules/R001.md)":  "[a](../rules/R001.md)",
		"[a](../internal/x.go)":    "a (`internal/x.go`)",
		"[a](https://example.org)": "[a](https://example.org)",
		"![p](guide.md)":           "![p](../guide.md)",
	} {
		if got := relinked(text, "docs/x.md", "folder/x.md", names); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestExpression(t *testing.T) {
	const long = `el.platform == "aix" && el.members.all(m, m.on("a") && m.on("b")) || el.fact("x && y") > 12345678901234567890.0 && el.used`
	const want = "el.platform == \"aix\"\n&& el.members.all(m, m.on(\"a\") && m.on(\"b\"))\n|| el.fact(\"x && y\") > 12345678901234567890.0\n&& el.used"
	if got := expression(long); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := expression("a  &&\n b"); got != "a && b" {
		t.Errorf("got %q", got)
	}
}

// Each schema shows its keys, also one that begins with a reference.
func TestSchemas(t *testing.T) {
	for _, s := range schemaList() {
		err := s.read()
		if err != nil || len(s.Fields) == 0 {
			t.Errorf("%s: got %d keys, %v", s.File, len(s.Fields), err)
		}
	}
}
