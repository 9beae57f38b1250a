package message_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"seaworthy/internal/fleet/message"
)

// A folder comes out as it went in, in chunks that are checked.
func TestPack(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	noise := make([]byte, 700<<10)
	state := uint32(1)
	for i := range noise {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	files := map[string][]byte{"manifest.json": []byte("{}"), "entstat-d.ent3.txt": bytes.Repeat([]byte("Transmit\n"), 9999), "noise": noise}
	for name, text := range files {
		err := os.WriteFile(filepath.Join(from, name), text, 0o600)
		if err != nil {
			t.Fatal(err)
		}
	}
	pack, err := message.Seal(from)
	if err != nil {
		t.Fatal(err)
	}
	again, err := message.Seal(from)
	if err != nil || !bytes.Equal(pack, again) {
		t.Errorf("the same files give another pack (%v)", err)
	}
	named, chunks := message.Split(pack)
	if len(chunks) < 3 || len(chunks) != len(named.Chunks) {
		t.Fatalf("%d chunks of %d bytes", len(chunks), len(pack))
	}
	byDigest := map[string][]byte{}
	for i, c := range chunks {
		byDigest[named.Chunks[i]] = c
	}
	get := func(from map[string][]byte) func(string) ([]byte, error) {
		return func(digest string) ([]byte, error) {
			c, ok := from[digest]
			if !ok {
				return nil, errors.New("missing")
			}
			return c, nil
		}
	}
	joined, err := message.Join(named, get(byDigest))
	if err != nil || !bytes.Equal(joined, pack) {
		t.Fatalf("joined: %v", err)
	}
	err = message.Unseal(joined, to)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		got, err := os.ReadFile(filepath.Join(to, name))
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: another one (%v)", name, err)
		}
	}
	forged := maps.Clone(byDigest)
	forged[named.Chunks[1]] = append([]byte("x"), chunks[1]...)
	_, err = message.Join(named, get(forged))
	if err == nil {
		t.Error("a forged chunk was taken")
	}
	named.Digest = message.Digest(nil)
	_, err = message.Join(named, get(byDigest))
	if err == nil {
		t.Error("another pack was taken")
	}
}

func TestHosts(t *testing.T) {
	want := []message.Host{{Name: "lpar1", Platform: "aix", Labels: map[string]string{"system": "S1"}, Groups: []string{"db"}}, {Name: "x"}}
	text, err := message.WriteHosts(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := message.ParseHosts(text)
	if err != nil || len(got) != 2 || got[0].Labels["system"] != "S1" || got[0].Groups[0] != "db" || got[1].Name != "x" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// Whatever a zone sends, nothing lands outside the folder.
func FuzzUnseal(f *testing.F) {
	dir := f.TempDir()
	err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a"), 0o600)
	if err != nil {
		f.Fatal(err)
	}
	pack, err := message.Seal(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(pack)
	f.Fuzz(func(t *testing.T, pack []byte) {
		top := t.TempDir()
		at := filepath.Join(top, "in")
		err := os.Mkdir(at, 0o700)
		if err != nil {
			t.Fatal(err)
		}
		_ = message.Unseal(pack, at)
		entries, err := os.ReadDir(top)
		if err != nil || len(entries) != 1 {
			t.Errorf("outside: %v, %v", entries, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"job":"a","host":"h","pack":{"digest":"","size":3,"chunks":["x"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := message.Parse[message.Result]("result", text)
		if err == nil && r.Pack != nil {
			_, _ = message.Join(*r.Pack, func(string) ([]byte, error) { return nil, errors.New("none") })
		}
	})
}

func FuzzParseHosts(f *testing.F) {
	text, err := message.WriteHosts([]message.Host{{Name: "a"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) { _, _ = message.ParseHosts(text) })
}
