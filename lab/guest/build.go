package guest

import (
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/crypto/ssh"

	"seaworthy/internal/base/fileio"
	"seaworthy/lab/sshd"
)

//go:embed build.sh root
var files embed.FS

// Built says whether the folder has the image of a kind, as this program makes it.
func Built(k Kind, dir string) bool {
	stamp, err := os.ReadFile(filepath.Join(dir, k.Name, "stamp"))
	return err == nil && string(stamp) == k.stamp()
}

// stamp changes with whatever an image is made from, save the packages' versions.
func (k Kind) stamp() string {
	h := sha256.New()
	fmt.Fprintln(h, k.Release, k.Arch, k.Kernel, k.Packages)
	for _, from := range []string{"build.sh", "root/all", "root/" + k.Name} {
		_ = fs.WalkDir(files, from, func(path string, d fs.DirEntry, _ error) error {
			if !d.IsDir() {
				b, _ := files.ReadFile(path)
				fmt.Fprintf(h, "%s %d\n%s", path, len(b), b)
			}
			return nil
		})
	}
	return fmt.Sprintf("%x\n", h.Sum(nil))
}

// Build makes the image of a kind in a folder of its own below dir, if it is not
// there, from packages that apt fetches; one of a foreign processor takes some
// minutes. What the tools print goes to log. It needs root, as mke2fs copies owners.
func Build(ctx context.Context, k Kind, dir string, log io.Writer) (err error) {
	if Built(k, dir) {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("build guest %s: %w", k.Name, err)
		}
	}()
	if os.Geteuid() != 0 {
		return errors.New("needs root")
	}
	tools := []string{"mmdebstrap", "mke2fs", "cpio", k.Machine[0]}
	if k.Interpreter != "" {
		tools = append(tools, "arch-test", k.Interpreter)
	}
	if err := installed(tools...); err != nil {
		return err
	}
	if dir, err = filepath.Abs(filepath.Join(dir, k.Name)); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := k.lay(dir); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, filepath.Join(dir, "build.sh"), append([]string{dir, k.Release, k.Arch, k.Kernel}, k.Packages...)...)
	c.Stdout, c.Stderr = log, log
	// The whole group ends with it: apt and the programs that packages run.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	if k.Interpreter != "" {
		at, err := exec.LookPath(k.Interpreter)
		if err != nil {
			return err
		}
		c.Env = append(os.Environ(), "INTERPRETER="+at)
		// The kernel runs foreign programs in these namespaces alone, not on all of the machine.
		all := []syscall.SysProcIDMap{{Size: 1 << 16}}
		c.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS
		c.SysProcAttr.UidMappings, c.SysProcAttr.GidMappings, c.SysProcAttr.GidMappingsEnableSetgroups = all, all, true
	}
	if err := c.Run(); err != nil {
		return fmt.Errorf("build.sh: %w", err)
	}
	return fileio.Write(filepath.Join(dir, "stamp"), []byte(k.stamp()))
}

// lay writes what build.sh reads, and the key that may log in.
func (k Kind) lay(dir string) error {
	if _, err := fileio.MkdirAll(dir); err != nil {
		return err
	}
	for _, from := range []string{"root/all", "root/" + k.Name} {
		sub, err := fs.Sub(files, from)
		if err != nil {
			return err
		}
		if err := os.CopyFS(filepath.Join(dir, "files"), sub); err != nil {
			return err
		}
	}
	script, err := files.ReadFile("build.sh")
	if err != nil {
		return err
	}
	key, private, err := sshd.NewKey("seaworthy guest")
	if err != nil {
		return err
	}
	return errors.Join(
		fileio.WriteScript(filepath.Join(dir, "build.sh"), script),
		fileio.Write(filepath.Join(dir, "id"), private),
		fileio.Write(filepath.Join(dir, "id.pub"), ssh.MarshalAuthorizedKey(key.PublicKey())))
}

// packages are Debian's packages of programs, where the names differ.
var packages = map[string]string{
	"mke2fs": "e2fsprogs", "qemu-system-ppc64": "qemu-system-ppc", "qemu-system-x86_64": "qemu-system-x86",
	"qemu-ppc64le-static": "qemu-user-static",
}

// ErrMissing: a program is not installed.
var ErrMissing = errors.New("not installed")

func installed(programs ...string) error {
	var missing []string
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if other, ok := packages[p]; ok {
				p = other
			}
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	names := strings.Join(missing, " ")
	return fmt.Errorf("%w: apt-get install --no-install-recommends %s", ErrMissing, names)
}
