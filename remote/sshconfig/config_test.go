package sshconfig

import (
	"context"
	"os"
	"path/filepath"
	"strings"
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
	c, err := Load(filepath.Join(dir, "config"))
	if err != nil {
		return nil, dir, err
	}
	s, err := c.Resolve(context.Background(), target)
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
			func(s *Settings) any { return s.IdentityFiles }, []string{"/k/root@x", "/media/keys/x"}},
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
		{"unsupported match for another host", map[string]string{"config": "Match originalhost other version 9\n User no\n"}, Target{Alias: "b", User: "u"},
			func(s *Settings) any { return s.User }, "u"},
		{"known hosts file with a blank", map[string]string{"config": "UserKnownHostsFile \"/a b/known_hosts\"\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.UserKnown }, []string{"/a b/known_hosts"}},
		{"quoted identity", map[string]string{"config": "IdentityFile=\"/my keys/id\"\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.IdentityFiles }, []string{"/my keys/id"}},
		{"proxy command keeps its quotes", map[string]string{"config": "ProxyCommand sh -c \"nc '%h' # %p\"\n"}, Target{Alias: "b"},
			func(s *Settings) any { return s.ProxyCommand }, "sh -c \"nc 'b' # 22\""},
		{"known hosts files", map[string]string{"config": "UserKnownHostsFile \"/a b/k\" /c\nGlobalKnownHostsFile none\nHostKeyAlias Alias\n"}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.UserKnown, len(s.GlobalKnown), s.KnownAs()} }, []any{[]string{"/a b/k", "/c"}, 0, "Alias:22"}},
		{"strict by default", map[string]string{"config": ""}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.StrictHostKey, s.AgentSocket, s.DefaultIdentity} }, []any{Refuse, "/agent/socket", true}},
		{"no is accept-new", map[string]string{"config": "StrictHostKeyChecking no\nIdentityAgent none\n"}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.StrictHostKey, s.AgentSocket} }, []any{AcceptNew, ""}},
		{"times", map[string]string{"config": "ConnectTimeout 3\nServerAliveInterval 1m\n"}, Target{Alias: "b"},
			func(s *Settings) any { return []any{s.ConnectTimeout, s.AliveInterval, s.AliveCountMax} }, []any{3 * time.Second, time.Minute, 3}},
		{"algorithms", map[string]string{"config": "KexAlgorithms +diffie-hellman-group1-*\n"}, Target{Alias: "b"},
			func(s *Settings) any {
				return s.KexAlgorithms.Apply([]string{"new"}, []string{"new", "diffie-hellman-group1-sha1", "other"})
			},
			[]string{"new", "diffie-hellman-group1-sha1"}},
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
		{"port", "Host x\n Port 99999\n", Target{Alias: "x"}, []string{"DIR/config:2", "99999", "from 1 to 65535"}},
		{"strict", "StrictHostKeyChecking maybe\n", Target{Alias: "x"}, []string{"DIR/config:1", "maybe"}},
		{"yes or no", "IdentitiesOnly perhaps\n", Target{Alias: "x"}, []string{"DIR/config:1", "perhaps"}},
		{"unknown token", "ProxyCommand nc %Z\n", Target{Alias: "x"}, []string{"DIR/config:1", "%Z"}},
		{"fdpass", "ProxyUseFdpass yes\n", Target{Alias: "x"}, []string{"DIR/config:1", "proxyusefdpass", "not supported"}},
		{"known hosts command", "KnownHostsCommand /bin/keys\n", Target{Alias: "x"}, []string{"DIR/config:1", "not supported"}},
		{"match", "Match localnetwork 10.0.0.0/8\n User y\n", Target{Alias: "x"}, []string{"DIR/config:1", "localnetwork"}},
		{"match typo", "Match hots x\n", Target{Alias: "x"}, []string{"DIR/config:1", "hots"}},
		{"open quote", "Host \"x\n", Target{Alias: "x"}, []string{"DIR/config:1", "quote"}},
		{"include loop", "Include DIR/config\n", Target{Alias: "x"}, []string{"nested"}},
		{"jump circle", "Host a\n ProxyJump b\nHost b\n ProxyJump a\n", Target{Alias: "a"}, []string{"circle", "a b"}},
		{"option as name", "", Target{Alias: "-oProxyCommand=x"}, []string{"not a host name"}},
		{"shell in a name", "ProxyCommand nc %h\n", Target{Alias: "x;reboot"}, []string{"not a host name"}},
		{"shell in a user", "ProxyCommand nc %r\n", Target{Alias: "x", User: "$(id)"}, []string{"is not a user"}},
		{"no value", "Host x\n User\n", Target{Alias: "x"}, []string{"DIR/config:2"}},
		{"missing variable", "IdentityFile ${NO_SUCH_VARIABLE_SET}/k\n", Target{Alias: "x"}, []string{"DIR/config:1", "NO_SUCH_VARIABLE_SET"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, dir, err := resolve(t, map[string]string{"config": tc.config}, tc.target)
			if err == nil {
				t.Fatal("got no error")
			}
			for _, w := range tc.want {
				if w = strings.ReplaceAll(w, "DIR", dir); !strings.Contains(err.Error(), w) {
					t.Errorf("got %q, want it to name %q", err, w)
				}
			}
		})
	}
}

func TestLoadMissing(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing explicit file: got no error")
	}
	t.Setenv("HOME", t.TempDir())
	if _, err := Load(""); err != nil {
		t.Errorf("no ~/.ssh/config: got %v, want none", err)
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

// No text of a configuration may bring the reader down.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"Host a\n User b\n", "Match all\nPort=1", "Include", "Host \"", "a", "= b", "IdentityFile \"x", "Port 1 # c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(strings.ToLower(text), "include") || strings.Contains(strings.ToLower(text), "exec") {
			return // no files, no commands out of a fuzzer
		}
		c := &Config{home: t.TempDir()}
		blocks, err := c.parse("config", []byte(text), c.home, 0)
		if err != nil {
			return
		}
		c.blocks = blocks
		s, err := c.Resolve(context.Background(), Target{Alias: "host", User: "user"})
		if err == nil && (s.Port < 1 || s.Port > 65535) {
			t.Errorf("port %d came out of %q", s.Port, text)
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
