package chaos

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"seaworthy/internal/test/namespaced"
)

// sysv is a Linux host without systemd: see testdata/hub.sh. A reboot of it is one of its
// processes and its network; the kernel goes on.
type sysv struct {
	ssh
	mu   sync.Mutex // of one question and its answer
	said *bufio.Reader
	ask  io.Writer
}

// startSysv boots one from a guest's image.
func startSysv(t *testing.T, dir, image string) *sysv {
	t.Helper()
	h := &sysv{ssh: ssh{t: t, name: "sysv", config: filepath.Join(dir, "ssh_config")}}
	script, err := filepath.Abs("testdata/hub.sh")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("/bin/sh", script, dir, filepath.Join(image, "disk"))
	c.Stderr = os.Stderr
	h.ask, h.said = namespaced.Start(t, c)
	key, err := os.ReadFile(filepath.Join(image, "host.pub"))
	if err != nil {
		t.Fatal(err)
	}
	// The way in: this machine's end of the cable is in a network of its own.
	way := fmt.Sprintf("nsenter -t %d -m -n %s nc 10.0.2.15 22", c.Process.Pid, filepath.Join(dir, "root/bin/busybox"))
	config := fmt.Sprintf("Host sysv\n  User root\n  ProxyCommand %s\n  HostKeyAlias sysv\n  IdentityFile %s\n  IdentitiesOnly yes\n"+
		"  UserKnownHostsFile %s\n", way, filepath.Join(image, "id"), filepath.Join(dir, "known_hosts"))
	for name, text := range map[string]string{"ssh_config": config, "known_hosts": "sysv " + string(key)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h.reboot("")
	return h
}

func (h *sysv) say(word string) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, err := fmt.Fprintln(h.ask, word); err != nil {
		h.t.Fatalf("%s: %v", word, err)
	}
	if got, err := h.said.ReadString('\n'); err != nil {
		h.t.Fatalf("%s: got %q, %v", word, got, err)
	}
}

func (h *sysv) reboot(string) {
	h.t.Helper()
	h.say("boot")
	h.await()
}

func (h *sysv) cut(out bool) {
	h.t.Helper()
	if out {
		h.say("cut")
		return
	}
	h.say("join")
}
