package support_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/support"
)

// unpack reads the files of a bundle.
func unpack(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for archive := tar.NewReader(zip); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(head.Name, "seaworthy-support/")] = string(body)
	}
}

// A bundle has the hosts file without what names hosts, users or addresses, and the build as it is.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	hosts := filepath.Join(dir, "hosts.yaml")
	text := "hosts:\n  erp-prod-7:\n    address: 198.51.100.77\n    user: jdoe42\n    via: gate-muc\n    port: 2022\n    platform: aix\n"
	if err := os.WriteFile(hosts, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "support.tar.gz")
	b, err := support.Pack(t.Context(), fleet.Access{HostsFile: hosts}, out, map[string]string{"version": "v9"})
	if err != nil {
		t.Fatal(err)
	}
	files := unpack(t, out)
	if len(files) != len(b.Files) || files["environment.json"] == "" {
		t.Errorf("got the files %v, want the %d that the answer lists", files, len(b.Files))
	}
	if !strings.Contains(files["environment.json"], `"version": "v9"`) {
		t.Errorf("environment: got %s, want the build in it", files["environment.json"])
	}
	inventory := files["inventory.yaml"]
	if !strings.Contains(inventory, "port: 2022") || !strings.Contains(inventory, "platform: aix") {
		t.Errorf("inventory: got %s, want its port and its platform", inventory)
	}
	for name, text := range files {
		for _, secret := range []string{"erp-prod-7", "198.51.100.77", "jdoe42", "gate-muc"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %q is in it", name, secret)
			}
		}
	}
}

// That the hosts file cannot be read may be what the bundle is about: the error is in it.
func TestPackWithoutHosts(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	hosts := filepath.Join(dir, "hosts.yaml")
	if err := os.WriteFile(hosts, []byte("hosts: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "support.tar.gz")
	if _, err := support.Pack(t.Context(), fleet.Access{HostsFile: hosts}, out, nil); err != nil {
		t.Fatal(err)
	}
	if got := unpack(t, out)["inventory.yaml"]; !strings.HasPrefix(got, "# ") || !strings.Contains(got, "hosts.yaml") {
		t.Errorf("inventory: got %q, want why it cannot be read", got)
	}
}
