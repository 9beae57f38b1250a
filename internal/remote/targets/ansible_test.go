package targets_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/remote/become"
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
		"[web]\nweb[9:1]\n":                       "hosts.ini:2: web[9:1]: expected a range of hosts",
		"[web]\nweb[1:99999999]\n":                "more than 10000 hosts",
		"[a]\nx ansible_become=maybe\n":           `ansible_become "maybe": expected true or false`,
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

// Ranges stand for hosts, and ansible_become says how root is reached.
func TestAnsibleRangesAndBecome(t *testing.T) {
	for name, text := range map[string]string{
		"hosts.ini": "[a]\nlpar[1:2]\ndb[a:c:2]-[01:02] ansible_become=no\n[a:vars]\nansible_become=true\nansible_become_method=dzdo\n",
		"hosts.yml": "all: {children: {a: {hosts: {'lpar[1:2]': , 'db[a:c:2]-[01:02]': {ansible_become: no}}, " +
			"vars: {ansible_become: true, ansible_become_method: dzdo}}}}\n",
	} {
		v, err := targets.Load(t.Context(), file(t, t.TempDir(), name, text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		dzdo, none := targets.Entry{Become: become.Dzdo}, targets.Entry{Become: become.None}
		want := map[string]targets.Entry{"lpar1": dzdo, "lpar2": dzdo, "dba-01": none, "dba-02": none, "dbc-01": none, "dbc-02": none}
		if diff := cmp.Diff(want, v.Hosts); diff != "" {
			t.Errorf("%s: hosts (-want +got)\n%s", name, diff)
		}
	}
}

// What a dynamic inventory prints for --list is an inventory.
func TestDynamicInventory(t *testing.T) {
	text := `{"_meta": {"hostvars": {"lpar1": {"ansible_host": "10.1.1.1"}, "vios1": {}}}, "vios": ["vios1"],
 "power": {"hosts": ["lpar1"], "children": ["vios"], "vars": {"ansible_user": "root"}}, "all": {"children": ["power"]}}`
	v, err := targets.Load(t.Context(), file(t, t.TempDir(), "list.json", text))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]targets.Entry{"lpar1": {Address: "10.1.1.1", User: "root"}, "vios1": {User: "root"}}
	if diff := cmp.Diff(want, v.Hosts); diff != "" {
		t.Errorf("hosts (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"vios": {"vios1"}, "power": {"lpar1", "vios1"}}, v.Groups); diff != "" {
		t.Errorf("groups (-want +got)\n%s", diff)
	}
}

// All faults of a file are named at once, and platforms in any case.
func TestAllFaults(t *testing.T) {
	text := "hosts:\n  a: {platform: AIX}\n  b: {platform: os2}\n  c: {port: 70000}\n  d: {via: d}\ngroups:\n  g: [x]\n"
	_, err := targets.Load(t.Context(), file(t, t.TempDir(), "hosts.yaml", text))
	for _, want := range []string{"hosts.yaml:3: host b: platform", "hosts.yaml:4: host c: port", "hosts.yaml:5: host d: via", "hosts.yaml:7: group g: x"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	if err != nil && strings.Contains(err.Error(), "host a") {
		t.Errorf("got %v, want platform AIX taken", err)
	}
	_, err = targets.Load(t.Context(), file(t, t.TempDir(), "hosts.yaml", "hosts:\n  a: {platfrom: aix}\n  b: {port: many}\n"))
	for _, want := range []string{`hosts.yaml:2: unknown key "platfrom"`, `hosts.yaml:3: expected a number, found "many"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
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
