package knowledge

import (
	"slices"
	"testing"
)

// In each layer at most one attribute has a role, and every role is known.
func TestRoles(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	used := map[Role]bool{}
	for _, layer := range c.Layers() {
		had := map[Role]string{}
		for _, a := range c.Attributes(layer) {
			if a.Role == "" {
				continue
			}
			if other := had[a.Role]; other != "" || !slices.Contains(Roles, a.Role) {
				t.Errorf("%s %s: got the role %q, which %s has too; want a role of its own that is known", layer, a.Name, a.Role, other)
			}
			had[a.Role], used[a.Role] = a.Name, true
			if c.ByRole(layer, a.Role) != a.Name || c.RoleOf(layer, a.Name) != a.Role {
				t.Errorf("%s %s: got %s by its role, and the role %q", layer, a.Name, c.ByRole(layer, a.Role), c.RoleOf(layer, a.Name))
			}
		}
	}
	for _, r := range Roles {
		if !used[r] {
			t.Errorf("role %s: got no attribute, want one", r)
		}
	}
	if got := c.ByRole("sea", SendWindow); got != "" {
		t.Errorf("send-window of an SEA: got %s, want none", got)
	}
}
