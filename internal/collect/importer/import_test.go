package importer_test

import (
	"context"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"seaworthy/internal/collect"
	"seaworthy/internal/collect/importer"
	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/importertest"
	"seaworthy/internal/test/lzwtest"
)

// put writes files below a new folder and gives it.
func put(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func imported(t *testing.T, o importer.Options, paths ...string) (*importer.Result, *model.Fleet) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	r, err := importer.Import(context.Background(), paths, dir, o)
	if err != nil {
		t.Fatalf("Import: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".import-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if len(r.Hosts) == 0 {
		return r, &model.Fleet{}
	}
	fleet, err := collect.Inventories(t.Context(), dir)
	if err != nil {
		t.Fatalf("Inventories: %v", err)
	}
	return r, fleet
}

// same ignores where and when a fact was read.
var same = cmp.Options{
	cmpopts.IgnoreFields(model.Attr{}, "From"),
	cmpopts.IgnoreFields(model.Host{}, "Taken", "Gaps"),
	cmpopts.EquateComparable(netip.Prefix{}, netip.Addr{}),
}

// However a host's outputs were saved, its inventory is the same.
func TestEveryForm(t *testing.T) {
	outputs := importertest.LPAR("lpar1", "10.20.30.11")
	_, fleet := imported(t, importer.Options{}, put(t, importertest.Plain(outputs)))
	if len(fleet.Hosts) != 1 {
		t.Fatalf("plain folder: got %d hosts, want 1", len(fleet.Hosts))
	}
	want := fleet.Hosts[0]
	checkLPAR(t, want)
	snap := importertest.Snap(outputs)
	prefixed := map[string]string{}
	for n, text := range snap {
		prefixed["/tmp/ibmsupt/"+strings.TrimPrefix(n, "./")] = text
	}
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	var inset []string
	for _, o := range outputs {
		inset = append(inset, "root@lpar1:/> "+o.Command+"\n"+indented(o.Text, "  "))
	}
	forms := map[string]map[string]string{
		"snap, unpacked":           snap,
		"snap.pax":                 {"snap.pax": string(importertest.Pax(snap))},
		"snap.pax.gz":              {"snap.pax.gz": string(importertest.Gzip(importertest.Pax(snap)))},
		"snap.pax.Z":               {"snap.pax.Z": string(lzwtest.Compress(importertest.Pax(snap), 16))},
		"snap.zip":                 {"snap.zip": string(importertest.Zip(snap))},
		"pax.gz without its name":  {"upload": string(importertest.Gzip(importertest.Pax(snap)))},
		"pax.Z in a zip":           {"case.zip": string(importertest.Zip(map[string]string{"snap.pax.Z": string(lzwtest.Compress(importertest.Pax(snap), 16))}))},
		"zip in a pax":             {"case.pax": string(importertest.Pax(map[string]string{"snap.zip": string(importertest.Zip(snap))}))},
		"snap with absolute names": {"snap.pax": string(importertest.Pax(prefixed))},
		"session, root":            {"typescript": importertest.Session(outputs, "root@lpar1:/ # ")},
		"session, bare #":          {"session.log": importertest.Session(outputs, "# ")},
		"session, bare $":          {"putty.log": importertest.Session(outputs, "$ ")},
		"session, [root@lpar1 /]":  {"a.txt": importertest.Session(outputs, "[root@lpar1 /]# ")},
		"session, CRLF":            {"a.txt": crlf(importertest.Session(outputs, "lpar1:/home/user> "))},
		"session, indented":        {"a.txt": indented(importertest.Session(outputs, "root@lpar1:/ # "), "    ")},
		"session, two-line prompt": {"a.txt": importertest.Session(outputs, "(0) root @ lpar1: 7.2.0.0: /\n# ")},
		"headings, indented":       {"a.txt": indented(importertest.Headed(outputs, "==== %s ====\n"), "\t")},
		"headings between prompts": {"a.txt": "$ \n" + importertest.Headed(outputs, "==== %s ====\n") + "$ \n"},
		"outputs indented":         {"a.txt": strings.Join(inset, "")},
		"headings ====":            {"all.txt": importertest.Headed(outputs, "==== %s ====\n")},
		"headings in rulers":       {"all.txt": importertest.Headed(outputs, "------------------------------\n%s\n------------------------------\n")},
		"headings #####":           {"all.txt": importertest.Headed(outputs, "##########\n# %s\n##########\n")},
		"headings, bare":           {"all.txt": importertest.Headed(outputs, "%s\n")},
		"headings, Command:":       {"all.txt": importertest.Headed(outputs, "\nCommand: %s\n\n")},
		"UTF-16":                   {"all.txt": utf16(importertest.Headed(outputs, "==== %s ====\n"))},
	}
	named := map[string]string{}
	for i, o := range outputs {
		// Names that say nothing but, where the text cannot, the device.
		name := "output-" + string(rune('a'+i)) + ".dat"
		if d := strings.Fields(o.Command); d[0] == "lsattr" {
			name = "output-" + string(rune('a'+i)) + "-" + d[2] + ".dat"
		}
		named[name] = o.Text
	}
	forms["names that say nothing"] = named
	for name, files := range forms {
		t.Run(name, func(t *testing.T) {
			r, fleet := imported(t, importer.Options{}, put(t, files))
			if len(fleet.Hosts) != 1 {
				t.Fatalf("got %d hosts, want 1: %+v", len(fleet.Hosts), r.Hosts)
			}
			if diff := cmp.Diff(want, fleet.Hosts[0], same); diff != "" {
				t.Errorf("inventory differs from the plain folder's (-plain +this):\n%s", diff)
				for _, f := range r.Files {
					for _, p := range f.Parts {
						t.Logf("%s:%d %s %q %s %v", filepath.Base(f.File), p.Line, p.Kind, p.Command, p.Element, p.Warnings)
					}
				}
			}
		})
	}
}

func utf16(s string) string {
	b := []byte("\xff\xfe")
	for i := range len(s) {
		b = append(b, s[i], 0)
	}
	return string(b)
}

// checkLPAR keeps the comparison from being one of nothing with nothing.
func checkLPAR(t *testing.T, h *model.Host) {
	t.Helper()
	en0, ent0 := h.Elements["en0"], h.Elements["ent0"]
	if en0 == nil || ent0 == nil {
		t.Fatalf("elements: got %v, want en0 and ent0", maps.Keys(h.Elements))
	}
	for _, c := range []struct{ what, got, want string }{
		{"name", h.Name, "lpar1"}, {"platform", string(h.Platform), "aix"}, {"level", h.Level, "7200-05-06-2320"},
		{"machine", h.MachineID, "9009-22A*214D2E4"}, {"kind of ent0", string(ent0.Kind), string(model.Virtual)},
		{"mtu_bypass", value(en0, "mtu_bypass"), "off"}, {"tcp_sendspace", value(en0, "tcp_sendspace"), "262144"}, {"MAC", ent0.MAC, "fa:c2:11:4c:20:02"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
	if got, _ := ent0.Counters.Get("rx.No Resource Errors"); got != 1290 {
		t.Errorf("No Resource Errors: got %d, want 1290", got)
	}
}

func value(e *model.Element, name string) string {
	if a := e.Attrs[name]; a != nil && a.Running != nil {
		return *a.Running
	}
	return "unknown"
}
