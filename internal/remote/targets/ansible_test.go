package targets_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/remote/targets"
)

// An Ansible inventory is read as it is, in both forms.
func TestAnsible(t *testing.T) {
	ini := `# the fleet
[vios]
vios1 ansible_host=10.1.1.1 ansible_user=padmin
vios2 ansible_host=10.1.1.2
[lpars]
lpar1 ansible_port=2222
[power:children]
vios
lpars
[vios:vars]
ansible_user=root
[all:vars]
ansible_user = "admin"
`
	yaml := `all:
  vars: {ansible_user: admin}
  children:
    power:
      children:
        vios:
          vars: {ansible_user: root}
          hosts:
            vios1: {ansible_host: 10.1.1.1, ansible_user: padmin}
            vios2: {ansible_host: 10.1.1.2}
        lpars:
          hosts:
            lpar1: {ansible_port: 2222}
`
	for name, text := range map[string]string{"hosts.ini": ini, "hosts.yml": yaml} {
		v, err := targets.Load(t.Context(), file(t, t.TempDir(), name, text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := map[string]targets.Entry{
			"vios1": {Address: "10.1.1.1", User: "padmin"}, "vios2": {Address: "10.1.1.2", User: "root"}, "lpar1": {User: "admin", Port: 2222},
		}
		if diff := cmp.Diff(want, v.Hosts); diff != "" {
			t.Errorf("%s: hosts (-want +got)\n%s", name, diff)
		}
		groups := map[string][]string{"vios": {"vios1", "vios2"}, "lpars": {"lpar1"}, "power": {"lpar1", "vios1", "vios2"}}
		if diff := cmp.Diff(groups, v.Groups); diff != "" {
			t.Errorf("%s: groups (-want +got)\n%s", name, diff)
		}
	}
	for text, want := range map[string]string{
		"[web\nx\n":                               "hosts.ini:1: ",
		"[web]\nweb[01:10]\n":                     "hosts.ini:2: web[01:10]: ranges",
		"[a]\nx ansible_port=many\n":              "host x: ansible_port many: expected a number",
		"hosts: {a: {}}\ngroups:\n  g: [a, b]\n":  "hosts.ini:3: group g: b is none of the hosts",
		"hosts: {a: {}, g: {}}\ngroups: {g: [a]}": "group g: a host has this name",
	} {
		_, err := targets.Load(t.Context(), file(t, t.TempDir(), "hosts.ini", text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// A group's variable goes before those of groups around it; of two that overlap the
// later name decides, every time.
func TestAnsibleVariables(t *testing.T) {
	text := "[inner]\na\n[outer:children]\ninner\nother\n[other]\nb\n[outer:vars]\nansible_user=outer\n[inner:vars]\nansible_user=inner\n" +
		"[first]\nb\n[second]\nb\n[first:vars]\nansible_port=1\n[second:vars]\nansible_port=2\n"
	for range 20 { // maps have no order
		v, err := targets.Load(t.Context(), file(t, t.TempDir(), "hosts.ini", text))
		want := map[string]targets.Entry{"a": {User: "inner"}, "b": {User: "outer", Port: 2}}
		if diff := cmp.Diff(want, v.Hosts); err != nil || diff != "" {
			t.Fatalf("%v, hosts (-want +got)\n%s", err, diff)
		}
	}
}

// A group stands for its hosts.
func TestGroup(t *testing.T) {
	p := file(t, t.TempDir(), "hosts.yaml", "hosts:\n  a: {address: 127.0.0.1}\n  b: {address: 127.0.0.1}\n  c: {address: 127.0.0.1}\ngroups:\n  two: [a, c]\n")
	open, err := targets.Open(t.Context(), []string{"two", "a"}, targets.Options{Inventory: p})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, h := range open {
		names = append(names, h.Name())
		h.Close()
	}
	if got := strings.Join(names, " "); got != "a c" {
		t.Errorf("got %s, want a c", got)
	}
}
