package shim_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"seaworthy/lab/shim"
)

func TestMain(m *testing.M) {
	if handled, exit := shim.Dial(os.Args); handled {
		os.Exit(exit)
	}
	os.Exit(m.Run())
}

// The stock SSH client's ProxyCommand: bytes go both ways, and the end of the
// input reaches the other side while its answer still comes back.
func TestDial(t *testing.T) {
	sock := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		s, err := l.Accept()
		if err != nil {
			return
		}
		defer s.Close()
		var all bytes.Buffer
		if _, err := all.ReadFrom(s); err != nil {
			return
		}
		_, _ = s.Write(bytes.ToUpper(all.Bytes()))
	}()
	cmd := exec.Command(os.Args[0], "lab", "dial", sock)
	cmd.Stdin = bytes.NewReader([]byte("ssh-2.0"))
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "SSH-2.0" {
		t.Errorf("lab dial: got %q, %v, want SSH-2.0", out, err)
	}
}

func TestNoLab(t *testing.T) {
	out, err := exec.Command(os.Args[0], "lab", "dial", filepath.Join(t.TempDir(), "none")).CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("is it up?")) {
		t.Errorf("lab dial without a lab: got %q, %v, want a failure that says so", out, err)
	}
	if handled, _ := shim.Dial([]string{"seaworthy-lab"}); handled {
		t.Error("without arguments: handled, want that it is nobody's call")
	}
}
