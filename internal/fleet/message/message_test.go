package message_test

import (
	"bytes"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"seaworthy/internal/fleet/message"
)

// Files come out as they went in, in chunks that are checked.
func TestPack(t *testing.T) {
	noise := make([]byte, 700<<10)
	state := uint32(1)
	for i := range noise {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	files := map[string][]byte{"manifest.json": []byte("{}"), "entstat-d.ent3.txt": bytes.Repeat([]byte("Transmit\n"), 9999), "noise": noise}
	pack, unpacked := seal(t, files)
	again, _ := seal(t, files)
	if !bytes.Equal(pack, again) {
		t.Error("the same files give another pack")
	}
	named, chunks := message.Split(pack, unpacked)
	if len(chunks) < 3 || len(chunks) != len(named.Chunks) {
		t.Fatalf("%d chunks of %d bytes", len(chunks), len(pack))
	}
	byDigest := map[string][]byte{}
	for i, c := range chunks {
		byDigest[named.Chunks[i]] = c
	}
	joined, err := message.Join(named, nil, from(byDigest))
	if err != nil || !bytes.Equal(joined, pack) {
		t.Fatalf("joined: %v", err)
	}
	got := unseal(t, joined, unpacked)
	if !maps.EqualFunc(got, files, bytes.Equal) {
		t.Errorf("got other files: %v", slices.Collect(maps.Keys(got)))
	}
	forged := maps.Clone(byDigest)
	forged[named.Chunks[1]] = append([]byte("x"), chunks[1]...)
	for what, join := range map[string]func() error{
		"a forged chunk":              func() error { _, err := message.Join(named, nil, from(forged)); return err },
		"chunks and a pack beside":    func() error { _, err := message.Join(named, pack, from(byDigest)); return err },
		"a long pack with its result": func() error { x := named; x.Chunks = nil; _, err := message.Join(x, pack, nil); return err },
		"a pack of another digest": func() error {
			x := named
			x.Digest = message.Digest(nil)
			_, err := message.Join(x, nil, from(byDigest))
			return err
		},
		"more than the archive has":    func() error { _, err := unsealed(pack, unpacked/2); return err },
		"a pack of more than may be":   func() error { _, err := unsealed(pack, message.MaxUnpacked+1); return err },
		"a pack that says it is empty": func() error { _, err := unsealed(pack, 0); return err },
	} {
		if join() == nil {
			t.Errorf("%s was taken", what)
		}
	}
}

// A small pack travels with its result.
func TestInline(t *testing.T) {
	pack, unpacked := seal(t, map[string][]byte{"manifest.json": []byte("{}\n{}\n")})
	named, chunks := message.Split(pack, unpacked)
	if len(chunks) != 0 {
		t.Fatalf("%d chunks of %d bytes", len(chunks), len(pack))
	}
	text, err := message.WriteResult(message.Result{Job: "j", Host: "h", Pack: &named}, pack)
	if err != nil {
		t.Fatal(err)
	}
	r, inline, err := message.ParseResult(text)
	if err != nil {
		t.Fatal(err)
	}
	joined, err := message.Join(*r.Pack, inline, nil)
	if err != nil || !bytes.Equal(joined, pack) || r.Host != "h" {
		t.Errorf("got %+v, %v", r, err)
	}
	_, err = message.Join(*r.Pack, inline[1:], nil)
	if err == nil {
		t.Error("a damaged pack was taken")
	}
}

func seal(t testing.TB, files map[string][]byte) ([]byte, int64) {
	t.Helper()
	p, err := message.NewPacker()
	if err != nil {
		t.Fatal(err)
	}
	pack, unpacked, err := p.Seal(files)
	if err != nil {
		t.Fatal(err)
	}
	return pack, unpacked
}

func unsealed(pack []byte, unpacked int64) (map[string][]byte, error) {
	u, err := message.NewUnpacker()
	if err != nil {
		return nil, err
	}
	defer u.Close()
	return u.Unseal(pack, unpacked)
}

func unseal(t *testing.T, pack []byte, unpacked int64) map[string][]byte {
	t.Helper()
	files, err := unsealed(pack, unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// from gives chunks by their digests.
func from(chunks map[string][]byte) func(string) ([]byte, error) {
	return func(digest string) ([]byte, error) {
		c, ok := chunks[digest]
		if !ok {
			return nil, errors.New("missing")
		}
		return c, nil
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

// Whatever a zone sends, names stay names and no more bytes come out than were announced.
func FuzzUnseal(f *testing.F) {
	pack, unpacked := seal(f, map[string][]byte{"a.txt": []byte("a"), "b": bytes.Repeat([]byte("b"), 99)})
	f.Add(pack, unpacked)
	f.Fuzz(func(t *testing.T, pack []byte, unpacked int64) {
		files, err := unsealed(pack, min(unpacked, 1<<20))
		if err != nil {
			return
		}
		size := int64(0)
		for name, text := range files {
			size += int64(len(text))
			if filepath.Base(name) != name || name == ".." {
				t.Errorf("got the name %q", name)
			}
		}
		if size > unpacked {
			t.Errorf("got %d bytes of %d", size, unpacked)
		}
	})
}

func FuzzParseResult(f *testing.F) {
	f.Add([]byte(`{"job":"a","host":"h","pack":{"digest":"","size":3,"unpacked":5}}` + "\nabc"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, inline, err := message.ParseResult(text)
		if err == nil && r.Pack != nil {
			_, _ = message.Join(*r.Pack, inline, from(nil))
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"job":"a","host":"h","pack":{"digest":"","size":3,"chunks":["x"]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := message.Parse[message.Result]("result", text)
		if err == nil && r.Pack != nil {
			_, _ = message.Join(*r.Pack, nil, from(nil))
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
