package targets_test

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/become"
	"seaworthy/internal/remote/targets"
	"seaworthy/internal/test/remotetest"
)

func file(t *testing.T, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func fleet(t *testing.T) *remotetest.Fleet {
	echo := func(_ context.Context, c *remotetest.Call) int {
		fmt.Fprint(c.Stdout, c.Host, " ", c.User)
		return 0
	}
	return remotetest.Start(t, map[string]remotetest.Handler{"lpar1": echo, "padmin@vios1": echo, "gate": echo})
}

// asked opens names and asks each host who it is.
func asked(t *testing.T, names []string, o targets.Options) ([]string, error) {
	t.Helper()
	open, err := targets.Open(t.Context(), names, o)
	if err != nil {
		return nil, err
	}
	var got []string
	for _, h := range open {
		defer h.Close()
		line := "whoami"
		if h.Name() == targets.Local {
			line = "printf here"
		}
		res, err := h.Run(context.Background(), remote.Command{Line: line})
		if err != nil {
			return nil, err
		}
		got = append(got, h.Name()+"="+string(res.Stdout))
	}
	return got, nil
}

func TestOpen(t *testing.T) {
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	f := fleet(t)
	addr := strings.Split(f.Server("lpar1").Address(), ":")
	inventory := file(t, f.Dir, "hosts.yaml", `# the fleet
ssh_config: ssh_config
hosts:
  vios1: {platform: vios, labels: {site: north}}
  renamed:
    address: 127.0.0.1
    port: `+addr[1]+`
    user: admin
    via: gate
  behind: {address: 127.0.0.1, port: `+addr[1]+`, via: vios1}
`)
	for _, tc := range []struct {
		name  string
		names []string
		o     targets.Options
		want  []string
	}{
		{"ssh config names, each once", []string{"lpar1", "vios1", "lpar1"}, targets.Options{SSHConfig: f.Config}, []string{"lpar1=lpar1 root", "vios1=vios1 padmin"}},
		{"user and port", []string{"oper@" + addr[0] + ":" + addr[1]}, targets.Options{SSHConfig: f.Config}, []string{"oper@" + addr[0] + ":" + addr[1] + "=lpar1 oper"}},
		{"local", []string{"local"}, targets.Options{}, []string{"local=here"}},
		{"inventory, all", nil, targets.Options{Inventory: inventory}, []string{"behind=lpar1 " + me.Username, "renamed=lpar1 admin", "vios1=vios1 padmin"}},
		{"inventory and a host outside", []string{"root@lpar1"}, targets.Options{Inventory: inventory}, []string{"root@lpar1=lpar1 root"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := asked(t, tc.names, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
		})
	}
	if n := f.Server("gate").Logins(); n != 1 {
		t.Errorf("the gate had %d logins, want 1 for the host that goes via it", n)
	}
}

// How a login becomes root: by its own word, the first pattern, the word for all; what
// the caller says overrules them.
func TestBecome(t *testing.T) {
	inventory := file(t, t.TempDir(), "hosts.yaml", `
become:
  lpar2: none
  lpar*: sudo
  "*": su
hosts: {lpar1: {}, lpar2: {}, lpar3: {become: dzdo}, vios1: {}}
`)
	for _, tc := range []struct {
		o    targets.Options
		want string
	}{
		{targets.Options{Inventory: inventory}, "lpar1=sudo lpar2=none lpar3=dzdo vios1=su root@lpar9=sudo"},
		{targets.Options{Inventory: inventory, Become: become.OEM}, "lpar1=oem_setup_env lpar2=oem_setup_env lpar3=oem_setup_env " +
			"vios1=oem_setup_env root@lpar9=oem_setup_env"},
	} {
		list, err := targets.Open(t.Context(), []string{"lpar1", "lpar2", "lpar3", "vios1", "root@lpar9"}, tc.o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range list {
			got = append(got, h.Name()+"="+string(h.(*become.Host).Method()))
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("got %s, want %s", s, tc.want)
		}
	}
}

func TestInventoryErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown key", "hosts:\n  a:\n    adress: x\n", "hosts.yaml:3: "},
		{"unknown top key", "host:\n  a: {}\n", "hosts.yaml:1: "},
		{"twice", "hosts:\n  a: {}\n  a: {}\n", "hosts.yaml:3: "},
		{"type", "hosts:\n  a:\n    port: many\n", "hosts.yaml:3: "},
		{"port", "hosts:\n  b: {}\n  a:\n    user: x\n    port: 70000\n", "hosts.yaml:5: host a: port 70000"},
		{"platform", "hosts:\n  a:\n    platform: hpux\n", "hosts.yaml:3: host a: platform \"hpux\": expected aix"},
		{"name", "hosts:\n  a: {}\n  '../x': {}\n", "hosts.yaml:3: host ../x: not usable as a name"},
		{"circle", "hosts:\n  a: {via: b}\n  b: {via: a}\n", "via goes in a circle: a → b → a"},
		{"become", "hosts:\n  a:\n    become: sudoo\n", "hosts.yaml:3: host a: become \"sudoo\": expected sudo, su, dzdo, oem_setup_env, none"},
		{"become for all", "become: root\nhosts: {a: {}}\n", "hosts.yaml:1: become \"root\": expected sudo"},
		{"become by pattern", "become:\n  a*: sudo\n  '[a': su\nhosts: {a: {}}\n", "hosts.yaml:3: become: pattern \"[a\""},
		{"become as a list", "become: [sudo]\nhosts: {a: {}}\n", "hosts.yaml:1: become: expected a word"},
		{"itself", "hosts:\n  a: {via: a}\n", "hosts.yaml:2: host a: via names the host itself"},
		{"type of a value", "hosts:\n  a:\n    port: many\n", "hosts.yaml:3: expected a number, found \"many\""},
		{"known keys", "hosts:\n  a:\n    adress: x\n", "unknown key \"adress\" (known: address, user,"},
		{"bomb", "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
			"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nhosts: *e\n", "hosts.yaml:"},
		{"deep", "hosts: " + strings.Repeat("[", 200_000) + "\n", "hosts.yaml:"},
		{"syntax", "hosts:\n\t- a\n", "hosts.yaml:2: "},
		{"config missing", "ssh_config: none\nhosts:\n  a: {}\n", "none: no such file"},
		{"empty", "", "no host given"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := file(t, t.TempDir(), "hosts.yaml", tc.text)
			_, err := targets.Open(t.Context(), nil, targets.Options{Inventory: p})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want it to say %q", err, tc.want)
			}
		})
	}
	p := file(t, t.TempDir(), "hosts.yaml", "hosts:\n  lpar1: {}\n  lpar2: {}\n")
	_, err := targets.Open(t.Context(), []string{"lpar3"}, targets.Options{Inventory: p})
	if want := "lpar3: not in " + p + " (it has lpar1, lpar2)"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
	script := file(t, t.TempDir(), "hosts.py", "#!/usr/bin/python3\nprint('{}')\n")
	_, err = targets.Open(t.Context(), nil, targets.Options{Inventory: script})
	if err == nil || !strings.Contains(err.Error(), "is a script, which is not run: save what its --list prints") {
		t.Errorf("a script: got %v", err)
	}
	_, err = targets.Open(t.Context(), []string{"lpra1"}, targets.Options{Inventory: p})
	if want := "lpra1: not in " + p + ", did you mean lpar1? (it has lpar1, lpar2)"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func FuzzInventory(f *testing.F) {
	for _, s := range []string{"hosts:\n  a: {port: 22}\n", "hosts: [a]", "ssh_config: x", "hosts:\n  ? [a]\n  : b", "&a [*a]",
		"[g]\na ansible_port=22\n[h:children]\ng\nh\n[h:vars]\nansible_user = 'x'\n", "all: {children: {g: {hosts: {a: {ansible_port: 1}}}}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := filepath.Join(t.TempDir(), "hosts.yaml")
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if v, err := targets.Load(t.Context(), p); err == nil {
			for name, e := range v.Hosts {
				if name == "" || e.Port < 0 || e.Port > 65535 {
					t.Errorf("got host %q port %d out of %q", name, e.Port, text)
				}
			}
		}
	})
}
