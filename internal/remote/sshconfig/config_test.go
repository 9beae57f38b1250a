package sshconfig

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write makes a folder of files and returns its path. DIR in a text becomes
// that path.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(strings.ReplaceAll(text, "DIR", dir)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func resolve(t *testing.T, files map[string]string, target Target) (*Settings, string, error) {
	t.Helper()
	dir := write(t, files)
	c, err := New(filepath.Join(dir, "config"))
	if err != nil {
		return nil, dir, err
	}
	s, err := c.Resolve(target)
	return s, dir, err
}

func TestResolve(t *testing.T) {
	t.Setenv("SSH_AUTH_SOCK", "/agent/socket")
	t.Setenv("KEYS", "/media/keys")
	for _, tc := range []struct {
		name   string
		files  map[string]string
		target Target
		got    func(*Settings) any
		want   any
	}{
		{"first value wins", map[string]string{"config": "Host lpar1\n User first\nHost lpar*\n User second\n"}, Target{Alias: "lpar1"},
			func(s *Settings) any { return s.User }, "first"},
		{"negated pattern", map[string]string{"config": "Host * !lpar1\n User other\nHost *\n User last\n"}, Target{Alias: "lpar1"},
			func(s *Settings) any { return s.User }, "last"},
		{"tabs, equals, quotes, CRLF, comment", map[string]string{"config": "# top\r\nHost\tvios1\tvios2\r\n\tHostName = \"10.1.1.1\"\r\n\tPort=2222 # odd\r\n"}, Target{Alias: "vios2"},
			func(s *Settings) any { return s.Address() }, "10.1.1.1:2222"},
		{"host name token", map[string]string{"config": "Host *\n HostName %h.example.org\n"}, Target{Alias: "lpar1"},
			func(s *Settings) any { return s.HostName }, "lpar1.example.org"},
		{"given user and port win", map[string]string{"config": "User a\nPort 1\n"}, Target{Alias: "x", User: "b", Port: 2},
			func(s *Settings) any { return []any{s.User, s.Port} }, []any{"b", 2}},
		{"identities add up", map[string]string{"config": "Host x\n IdentityFile /k/%r@%h\nHost *\n IdentityFile ${KEYS}/%n\n User root\n"}, Target{Alias: "x"},
			func(s *Settings) any { return s.IdentityFiles }, []Identity{{File: "/k/root@x"}, {File: "/media/keys/x"}}},
		{"proxy command tokens", map[string]string{"config": "Host x\n Port 23\n User u\n ProxyCommand nc -U /run/%h/%p %r %%\n"}, Target{Alias: "x"},
			func(s *Settings) any { return s.ProxyCommand }, "nc -U /run/x/23 u %"},
		{"jump chain", map[string]string{"config": "Host x\n ProxyJump a@one,two:24\nHost two\n HostName 10.0.0.2\n"}, Target{Alias: "x"},
			func(s *Settings) any {
				return []any{s.Jump.Address(), s.Jump.Jump.Alias, s.Jump.Jump.User, s.Jump.Jump.Jump == nil}
			}, []any{"10.0.0.2:24", "one", "a", true}},
		{"jump none", map[string]string{"config": "Host x\n ProxyJump none\nHost *\n ProxyJump gate\n"}, Target{Alias: "x"},
			func(s *Settings) any { return s.Jump == nil }, true},
		{"first of ProxyCommand and ProxyJump", map[string]string{"config": "ProxyJump gate\nProxyCommand never\nHost gate\n ProxyJump none\n"}, Target{Alias: "gate", ProxyJump: "none"},
			func(s *Settings) any { return s.ProxyCommand }, ""},
		{"include inside a block holds only there", map[string]string{
			"config": "Host a\n Include DIR/in/*.conf\nHost *\n User outer\n", "in/1.conf": "User inner\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.User }, "outer"},
		{"include", map[string]string{"config": "Include DIR/in/*.conf\nUser outer\n", "in/1.conf": "Host b\nUser inner\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.User }, "inner"},
		{"include of nothing", map[string]string{"config": "Include DIR/none/*.conf\nUser outer\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.User }, "outer"},
		{"match host uses the resolved name", map[string]string{"config": "Host b\n HostName real\nMatch host real\n User m\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.User }, "m"},
		{"match originalhost and negation", map[string]string{"config": "Match originalhost b !user root\n Port 99\n"}, Target{Alias: "b", User: "u"},
			func(s *Settings) any { return s.Port }, 99},
		{"match exec", map[string]string{"config": "Match exec \"test %n = b\"\n Port 98\nMatch exec false\n Port 97\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.Port }, 98},
		{"match final comes last", map[string]string{"config": "Match final all\n User final\n Port 7\nHost b\n User early\n"}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.User, s.Port} }, []any{"early", 7}},
		{"known hosts file with a blank", map[string]string{"config": "UserKnownHostsFile \"/a b/known_hosts\"\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.UserKnown }, []string{"/a b/known_hosts"}},
		{"quoted identity", map[string]string{"config": "IdentityFile=\"/my keys/id\"\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.IdentityFiles }, []Identity{{File: "/my keys/id"}}},
		{"proxy command keeps its quotes", map[string]string{"config": "ProxyCommand sh -c \"nc '%h' # %p\"\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.ProxyCommand }, "sh -c \"nc 'b' # 22\""},
		{"known hosts files", map[string]string{"config": "UserKnownHostsFile \"/a b/k\" /c\nGlobalKnownHostsFile none\nHostKeyAlias Alias\n"}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.UserKnown, len(s.GlobalKnown), s.KnownAs()} }, []any{[]string{"/a b/k", "/c"}, 0, "alias:22"}},
		{"strict by default", map[string]string{"config": ""}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.LearnHostKey, s.AgentSocket, s.IdentityFiles[0].Default} }, []any{false, "/agent/socket", true}},
		{"no is accept-new", map[string]string{"config": "StrictHostKeyChecking no\nIdentityAgent none\n"}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.LearnHostKey, s.AgentSocket} }, []any{true, ""}},
		{"times", map[string]string{"config": "ConnectTimeout 3\nServerAliveInterval 1m\n"}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.ConnectTimeout, s.AliveInterval, s.AliveCountMax} }, []any{3 * time.Second, time.Minute, 3}},
		{"algorithms", map[string]string{"config": "KexAlgorithms +diffie-hellman-group1-sha1\nCiphers aes128-ctr,aes256-ctr\n"}, Target{Alias: "b"},
			func(s *Settings) any {
				return []any{len(s.KexAlgorithms) > 2, s.KexAlgorithms[len(s.KexAlgorithms)-1], s.Ciphers}
			},
			[]any{true, "diffie-hellman-group1-sha1", []string{"aes128-ctr", "aes256-ctr"}}},
		{"IPv6", map[string]string{"config": ""}, Target{Alias: "fe80::1%eth0", Port: 5},
			func(s *Settings) any { return s.Address() }, "[fe80::1%eth0]:5"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, _, err := resolve(t, tc.files, tc.target)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, tc.got(s)); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
		})
	}
}

func TestResolveErrors(t *testing.T) {
	for _, tc := range []struct {
		name, config string
		target       Target
		want         []string // parts of the message; DIR is the folder
	}{
		{"port", "Host x\n Port 99999\n", Target{Alias: "x"}, []string{"DIR/config line 2", "99999"}},
		{"strict", "StrictHostKeyChecking maybe\n", Target{Alias: "x"}, []string{"DIR/config line 1", "maybe"}},
		{"unknown token", "ProxyCommand nc %Z\n", Target{Alias: "x"}, []string{"%Z"}},
		{"fdpass", "ProxyUseFdpass yes\n", Target{Alias: "x"}, []string{"proxyusefdpass yes is not supported"}},
		{"known hosts command", "KnownHostsCommand /bin/keys\n", Target{Alias: "x"}, []string{"knownhostscommand /bin/keys is not supported"}},
		{"match typo", "Match hots x\n", Target{Alias: "x"}, []string{"DIR/config line 1", "hots"}},
		{"jump circle", "Host a\n ProxyJump b\nHost b\n ProxyJump a\n", Target{Alias: "a"}, []string{"circle", "a b"}},
		{"option as name", "", Target{Alias: "-oProxyCommand=x"}, []string{"not a host name"}},
		{"shell in a name", "ProxyCommand nc %h\n", Target{Alias: "x;reboot"}, []string{"not a host name"}},
		{"shell in a configured name", "HostName $(id)\nProxyCommand nc %h\n", Target{Alias: "x"}, []string{"$(id)"}},
		{"shell in a user", "ProxyCommand nc %r\n", Target{Alias: "x", User: "$(id)"}, []string{"is not a user"}},
		{"no value", "Host x\n User\n", Target{Alias: "x"}, []string{"DIR/config line 2"}},
		{"missing variable", "IdentityFile ${NO_SUCH_VARIABLE_SET}/k\n", Target{Alias: "x"}, []string{"NO_SUCH_VARIABLE_SET"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, dir, err := resolve(t, map[string]string{"config": tc.config}, tc.target)
			if err == nil {
				t.Fatal("got no error")
			}
			for _, w := range tc.want {
				w = strings.ReplaceAll(w, "DIR", dir)
				if !strings.Contains(err.Error(), w) {
					t.Errorf("got %q, want it to name %q", err, w)
				}
			}
		})
	}
}

// Without the program ssh the defaults hold, unless there is a configuration that
// only ssh can read.
func TestWithoutSSH(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATH", home)
	t.Setenv("HOME", home)
	if _, err := New(filepath.Join(home, "none")); err == nil {
		t.Error("a file that is not there: got no error")
	}
	if _, _, err := resolve(t, map[string]string{"config": ""}, Target{Alias: "x"}); err == nil || !strings.Contains(err.Error(), "install the OpenSSH client") {
		t.Errorf("a configuration: got %v, want what to install", err)
	}
	target := Target{Alias: "x", User: "padmin", ProxyJump: "root@gate:23"}
	text, err := defaults(target)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read(target, string(text))
	if err != nil {
		t.Fatal(err)
	}
	got := []any{s.User, s.Address(), s.jumps, s.PublicKeyAuth, s.ConnectTimeout, s.IdentityFiles[0].File, s.UserKnown}
	want := []any{"padmin", "x:22", []string{"root@gate:23"}, true, DefaultConnectTimeout, home + "/.ssh/id_rsa", []string{home + "/.ssh/known_hosts"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +\n%s", diff)
	}
}

// Each target is asked for once, however many hosts go through it.
func TestAskedOnce(t *testing.T) {
	dir := write(t, map[string]string{"config": "Match exec \"echo %n >>DIR/asked\"\n User u\nHost a b\n ProxyJump gate\n"})
	c, err := New(filepath.Join(dir, "config"))
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "a", "b"} {
		all.Go(func() {
			if s, err := c.Resolve(Target{Alias: name}); err != nil || s.Jump == nil || s.Jump.User != "u" {
				t.Errorf("%s: got %+v, %v", name, s, err)
			}
		})
	}
	all.Wait()
	text, err := os.ReadFile(filepath.Join(dir, "asked"))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(strings.FieldsSeq(string(text))); !slices.Equal(got, []string{"a", "b", "gate"}) {
		t.Errorf("asked for %q, want each once", got)
	}
}

func TestParseTarget(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want Target
		bad  bool
	}{
		{in: "lpar1", want: Target{Alias: "lpar1"}},
		{in: "root@lpar1:2222", want: Target{Alias: "lpar1", User: "root", Port: 2222}},
		{in: "dom@ain@lpar1", want: Target{Alias: "lpar1", User: "dom@ain"}},
		{in: "ssh://u@h:1/", want: Target{Alias: "h", User: "u", Port: 1}},
		{in: "u@[2001:db8::1]:22", want: Target{Alias: "2001:db8::1", User: "u", Port: 22}},
		{in: "2001:db8::1", want: Target{Alias: "2001:db8::1"}},
		{in: "h:0", bad: true}, {in: "h:", bad: true}, {in: "@h", bad: true}, {in: "u@", bad: true},
		{in: "h:x", bad: true}, {in: "a:b:c", bad: true}, {in: "[::1", bad: true}, {in: "[::1]x", bad: true}, {in: "", bad: true},
	} {
		got, err := ParseTarget(tc.in)
		if (err != nil) != tc.bad || (!tc.bad && got != tc.want) {
			t.Errorf("%q: got %+v, %v, want %+v, error %v", tc.in, got, err, tc.want, tc.bad)
		}
	}
}

// No answer may bring the reader down, or give a port that is none.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"hostname a\nuser b\nport 22\nidentityfile ~/.ssh/id_rsa\n", "port x", "userknownhostsfile a b /c", "proxycommand %"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := read(Target{Alias: "host"}, text)
		if err == nil && (s.Port < 1 || s.Port > 65535 || s.HostName == "" || strings.ContainsAny(s.HostName+s.User, " ;$`|&")) {
			t.Errorf("%+v came out of %q", s, text)
		}
	})
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"lpar1", "root@lpar1:2222", "a@b@[2001:db8::1]:22", "ssh://padmin@vios1/", "[x", ":"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseTarget(text)
		if err == nil && (got.Alias == "") {
			t.Errorf("ParseTarget(%q): got no host, want one or an error", text)
		}
	})
}

// A pipe, as of -F <(...), is read once and asked for every host.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("Host a b\n Port 99\n"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	c, err := New(fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if s, err := c.Resolve(Target{Alias: name}); err != nil || s.Port != 99 {
			t.Errorf("%s: got %+v, %v, want port 99", name, s, err)
		}
	}
}

// Of hosts that a configuration tells apart by patterns alone, ssh is asked for two of each
// kind, and the others get what it would say of them.
func TestAlike(t *testing.T) {
	const config = "Host db*\n User oracle\n IdentityFile ~/%h.key\nHost *\n Port 2022\n"
	for name, tc := range map[string]struct {
		files map[string]string
		asked int // of 6 hosts of two kinds
	}{
		"patterns":            {map[string]string{"config": config}, 4},
		"an include":          {map[string]string{"config": "Include DIR/more*\n", "more1": config}, 4},
		"a match":             {map[string]string{"config": "Match host db1\n User x\n" + config}, 6},
		"a quoted pattern":    {map[string]string{"config": "Host \"db2\"\n User x\n" + config}, 6},
		"a pattern each":      {map[string]string{"config": "Host db1\n User x\nHost db2\n User x\nHost db3\n User x\n" + config}, 5},
		"a name in its value": {map[string]string{"config": "HostName %h.example.org\n" + config}, 6},
		"a name in a file":    {map[string]string{"config": config + " UserKnownHostsFile DIR/%k\n"}, 6},
		"names canonical":     {map[string]string{"config": "CanonicalizeHostname always\n" + config}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, tc.files)
			counter := filepath.Join(dir, "asked")
			real, err := exec.LookPath("ssh")
			if err != nil {
				t.Skip("no ssh here")
			}
			bin := write(t, map[string]string{"ssh": "#!/bin/sh\necho >>" + counter + "\nexec " + real + " \"$@\"\n"})
			err = os.Chmod(filepath.Join(bin, "ssh"), 0o700)
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			file := filepath.Join(dir, "config")
			all, err := New(file)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []*Settings
			for _, alias := range []string{"db1", "app1", "db2", "app2", "db3", "app3"} {
				target := Target{Alias: alias, Address: "10.0.0." + alias[len(alias)-1:], Port: 22}
				if name == "a name in its value" {
					target.Address = ""
				}
				s, err := all.Resolve(target)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, s)
			}
			text, err := os.ReadFile(counter)
			if err != nil || len(text) != tc.asked {
				t.Errorf("ssh was asked %d times, want %d (%v)", len(text), tc.asked, err)
			}
			for _, s := range got {
				each, err := New(file)
				if err != nil {
					t.Fatal(err)
				}
				target := Target{Alias: s.Alias, Address: "10.0.0." + s.Alias[len(s.Alias)-1:], Port: 22}
				if name == "a name in its value" {
					target.Address = ""
				}
				alone, err := each.Resolve(target)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, alone)
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(Settings{})); diff != "" {
				t.Errorf("alone (-) and among others (+):\n%s", diff)
			}
		})
	}
}
