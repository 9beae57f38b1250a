package decode_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/base/decode"
)

type host struct {
	Address string            `yaml:"address" json:"address"`
	Port    int               `yaml:"port" json:"port,omitempty"`
	Labels  map[string]string `yaml:"labels" json:"labels,omitempty"`
}

type common struct {
	Comment string `yaml:"comment" json:"comment,omitempty"`
}

type file struct {
	common `yaml:",inline"`
	Hosts  map[string]*host `yaml:"hosts" json:"hosts"`
	Any    any              `yaml:"any" json:"any,omitempty"`
	List   []host           `yaml:"list" json:"list,omitempty"`
}

func TestYAML(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"hosts:\n  a: {address: x, port: 1, labels: {Anything: goes}}\ncomment: c\nany: {x: [1]}\n", ""},
		{"", ""},
		{"# only a comment\n", ""},
		{"hosts: {a: &a {port: 1}, b: {<<: *a, address: y}, c: {<<: [*a]}}\n", ""},
		{"hosts:\n  a:\n    adress: x\n", `f.yaml:3: unknown key "adress" (known: address, port, labels)`},
		{"hosts:\n  a: {Address: x}\n", `f.yaml:2: unknown key "Address" (known: address, port, labels)`},
		{"hosts:\n  a: {port: 1,\n port: 2}\n", `f.yaml:3: mapping key "port" already defined at line 2`},
		{"list:\n- {port: 1}\n- {prt: 1}\n", `f.yaml:3: unknown key "prt" (known: address, port, labels)`},
		{"hosts: {a: {port: many}}\n", `f.yaml:1: expected a number, found "many"`},
		{"\nhosts: [a]\n", `f.yaml:2: expected a mapping, found a list`},
		{"a: [\n", "f.yaml:1: not YAML: did not find expected node content"},
		{"hosts:\n\ta: {}\n", "f.yaml:2: not YAML: found character that cannot start any token: a tab indents this line, YAML takes spaces only"},
		{"hosts:\n  a:\n  \tport: 1\n", "f.yaml:3: not YAML: found character that cannot start any token: a tab indents this line, YAML takes spaces only"},
		{"hosts: {}\n---\nhosts: {}\n", "f.yaml:2: a second document: expected one"},
		{"any: &a [*a]\n", "f.yaml:1: nested deeper than 64 levels, or an alias within what it stands for"},
		{"any: \"\xff\"\n", "f.yaml: not text in UTF-8"},
		{"any:\n " + strings.Repeat("[", 70) + strings.Repeat("]", 70), "f.yaml:2: nested deeper than 64 levels, or an alias within what it stands for"},
	} {
		var f file
		err := decode.YAML("f.yaml", []byte(c.text), &f)
		if got := text(err); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
		if at := (*decode.Error)(nil); err != nil && !errors.As(err, &at) {
			t.Errorf("%q: %T", c.text, err)
		}
	}
	var f file
	if err := decode.YAML("f", []byte("hosts: {a: {port: 7}}\ncomment: c"), &f); err != nil || f.Hosts["a"].Port != 7 || f.Comment != "c" {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"hosts": {"a": {"address": "x", "port": 1, "labels": {"Any": "x"}}}, "any": {"X": [{}]}}`, ""},
		{`{"hosts": {"a": {"address": "\"}{\\", "\u0070ort": 1}}, "list": [{"port": 1}]}`, ""},
		{"{\"hosts\": {\"a\":\n {\"adress\": \"x\"}}}", `f:2: unknown key "adress" (known: address, port, labels)`},
		{`{"hosts": {"a": {"PORT": 1}}}`, `f:1: unknown key "PORT": expected "port"`},
		{`{"list": [{}, {"port": 1, "p\u006frt": 2}]}`, `f:1: key "port" is given twice`},
		{`{"any": {"x": 1, "x": 2}}`, `f:1: key "x" is given twice`},
		{`{"hosts": 1}`, "f:1: hosts: found number, expected another type"},
		{"{\n\"hosts\": {]", "f:2: not JSON: invalid character ']' looking for beginning of object key string"},
		{`{"hosts": {"a": {"address": "x`, "f:1: not JSON: unexpected end of JSON input"},
		{`{"any": ` + strings.Repeat("[", 70), "f:1: nested deeper than 64 levels"},
		{"", "f:1: not JSON: unexpected end of JSON input"},
		{`{} {}`, "f:1: not JSON: invalid character '{' after top-level value"},
		{`{"common": {}}`, `f:1: unknown key "common" (known: comment, hosts, any, list)`},
	} {
		var f file
		if got := text(decode.JSON("f", []byte(c.text), &f)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	var f file
	if err := decode.JSON("f", []byte(`{"later": [1], "hosts": {"a": {"port": 7, "tag": {}}}}`), &f, decode.Newer); err != nil || f.Hosts["a"].Port != 7 {
		t.Errorf("%+v, %v", f, err)
	}
	if err := decode.JSON("f", []byte(`{"Hosts": {}}`), &f, decode.Newer); err == nil {
		t.Error("a key in another case was taken")
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Half a megabyte of whatever takes much: refused, or decoded cheaply.
func TestBombs(t *testing.T) {
	const size = 500_000
	of := func(s string) string { return strings.Repeat(s, size/len(s)) }
	aliases := "any:\n - &a0 x\n"
	for i := range 12 {
		aliases += " - &a" + string(rune('b'+i)) + " [" + strings.Repeat("*a"+string(rune('a'+i))+",", 10) + "]\n"
	}
	aliases = strings.Replace(aliases, "&a0", "&aa", 1)
	for name, b := range map[string]struct {
		text  string
		taken bool
	}{
		"lists in lists":        {of("["), false},
		"mappings in mappings":  {of("{a: "), false},
		"objects in objects":    {of(`{"a":`), false},
		"entries in entries":    {of("- "), false},
		"keys in keys":          {of("? "), false},
		"many":                  {"any: [" + of("a,") + "]", false},
		"many empty":            {"any: [" + of("[],") + "]", false},
		"many of a type":        {"list: [" + of("{},") + "]", false},
		"many JSON":             {`{"any": [` + of("[],") + "[]]}", false},
		"many of a type, JSON":  {`{"list": [` + of("{},") + "{}]}", false},
		"comments":              {"any: [" + of("a,#\n") + "]", false},
		"anchors":               {"any: [" + of("&a x,") + "]", false},
		"aliases":               {aliases, false},
		"tags":                  {"any: [" + of("! a,") + "]", false},
		"hosts of a fleet":      {"any:\n" + of("  - {address: 10.1.0.1, port: 22, user: x, platform: aix}\n"), true},
		"one text":              {"comment: " + of("x"), true},
		"one text, JSON":        {`{"comment": "` + of("x") + `"}`, true},
		"lines of a text":       {"comment: |\n" + of(" x\n"), true},
		"numbers, JSON":         {`{"any": [` + of("1,") + "1]}", true},
		"NULs":                  {of("\x00"), false},
		"UTF-16":                {"\xff\xfe" + of("[\x00"), false},
		"documents":             {of("---\n"), false},
		"indented":              {indented(900), false},
		"quotes":                {of(`"`), false},
		"within the bounds":     {"list: [" + strings.Repeat("{},", 9_000) + "]", true},
		"aliases of everything": {"any: [&a [" + strings.Repeat("x,", 900) + "]," + strings.Repeat("*a,", 900) + "]", false},
	} {
		t.Run(name, func(t *testing.T) {
			read := decode.YAML
			if strings.HasPrefix(b.text, "{\"") {
				read = func(name string, text []byte, into any) error { return decode.JSON(name, text, into) }
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var f file
			err := read("f", []byte(b.text), &f)
			runtime.ReadMemStats(&after)
			if (err == nil) != b.taken {
				t.Errorf("taken: %t: %.200v", err == nil, err)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 100 {
				t.Errorf("it took %d MB", mb)
			}
		})
	}
}

func indented(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if got, err := decode.Read(ctx, name, 5); string(got) != "12345" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for file, want := range map[string]string{
		name:                      name + ": larger than 4 bytes",
		"/dev/zero":               "/dev/zero: larger than 4 bytes",
		dir:                       "read " + dir + ": is a directory",
		filepath.Join(dir, "not"): "open " + filepath.Join(dir, "not") + ": no such file or directory",
	} {
		if got, err := decode.Read(ctx, file, 4); text(err) != want {
			t.Errorf("%s: %q, %v\nwant %s", file, got, err, want)
		}
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := decode.Read(ctx, pipe, 4); !errors.Is(err, context.Canceled) {
		t.Errorf("a pipe that nobody writes: %v", err)
	}
}

func FuzzYAML(f *testing.F) {
	for _, s := range []string{"hosts: {a: {port: 1}}", "any: &a [*a]", "list: [{<<: {port: 1}}]", "a: [", "? x\n: y", "- !!int a"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var into file
		err := decode.YAML("f", text, &into)
		if at := (*decode.Error)(nil); err != nil && !errors.As(err, &at) {
			t.Errorf("%T: %v", err, err)
		}
	})
}

// A text is read whole, or refused because it is too large.
func FuzzReadFrom(f *testing.F) {
	f.Add([]byte("a: b\n"), int64(3))
	f.Add([]byte{}, int64(0))
	f.Add([]byte("\x00\xff"), int64(2))
	f.Fuzz(func(t *testing.T, text []byte, limit int64) {
		if limit < 0 || limit > 1<<20 {
			return
		}
		got, err := decode.ReadFrom(t.Context(), "f", bytes.NewReader(text), limit)
		if tooLarge := int64(len(text)) > limit; tooLarge != (err != nil) || !tooLarge && !bytes.Equal(got, text) {
			t.Errorf("%d bytes of at most %d: got %d, %v", len(text), limit, len(got), err)
		}
	})
}

// What is taken means the same to a second reader: no key was read as another.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"hosts": {"a": {"port": 1}}}`, `{"PORT": 1}`, `{"any": [{"a":1,"a":2}]}`, `{"list":[{"port":1}`, `"\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var into, again file
		if decode.JSON("f", text, &into) != nil {
			return
		}
		if err := decode.JSON("f", text, &again); err != nil || !reflect.DeepEqual(into, again) {
			t.Errorf("%+v, %+v, %v", into, again, err)
		}
	})
}
