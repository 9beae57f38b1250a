package web_test

import (
	"strings"
	"testing"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/ui/web"
	"seaworthy/internal/ui/web/store"
)

// The plan of a folder is applied to running hosts: where the server was told how to find them, the command
// to paste says so.
func TestApplyFindsHosts(t *testing.T) {
	dir := site(t)
	rules := knowledge.BuiltIn().Rules()
	set, err := rule.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	read := store.Open(t.Context(), store.Options{Dirs: []string{dir}, Rules: set})
	<-read.Ready()
	s := web.New(t.Context(), web.Options{Store: read, Rules: rules, Set: set, Version: "test", Running: []string{"-i", "hosts.yaml"}})
	_, body := settled(t, s, "/plan?all=1")
	for _, want := range []string{"seaworthy plan " + dir, "seaworthy apply plan.json -i hosts.yaml --confirm-within 2m"} {
		if !strings.Contains(body, want) {
			t.Errorf("the plan's page lacks %q", want)
		}
	}
}
