package main_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"seaworthy/internal/test/await"
)

// empty fails the test if anything of the box is left: a process, a namespace
// or mount (a process holds them), a temporary file, a lab's state.
func (b *box) empty() {
	b.t.Helper()
	var left []string
	// What was killed goes a little later than its killer's return.
	await.Within(time.Minute, func() bool {
		left = append(b.processes(), b.files()...)
		return len(left) == 0
	})
	for _, l := range left {
		b.t.Errorf("left behind: %s", l)
	}
}

// processes are those that were started in the box, or see a mount of it: the
// nodes' processes do, since the lab's program lies there for them.
func (b *box) processes() []string {
	var found []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		env, _ := os.ReadFile(d + "/environ")
		mounts, _ := os.ReadFile(d + "/mountinfo")
		if !bytes.Contains(env, []byte("SEAWORTHY_BOX="+b.dir+"\x00")) && !bytes.Contains(mounts, []byte(filepath.Base(b.dir)+"/")) {
			continue
		}
		line, _ := os.ReadFile(d + "/cmdline")
		if len(line) == 0 {
			continue // a zombie holds nothing
		}
		found = append(found, fmt.Sprintf("process %s: %q", filepath.Base(d), line))
	}
	return found
}

// files are those that should be gone: temporary ones, and labs' state.
func (b *box) files() []string {
	var found []string
	for _, d := range []string{"tmp", "run"} {
		_ = filepath.WalkDir(b.path(d), func(p string, e fs.DirEntry, err error) error {
			if err == nil && p != b.path(d) && p != b.path("run", "seaworthy") {
				found = append(found, "file "+strings.TrimPrefix(p, b.dir))
			}
			return nil
		})
	}
	_ = filepath.WalkDir(b.dir, func(p string, e fs.DirEntry, err error) error {
		if n := filepath.Base(p); err == nil && (strings.HasSuffix(n, ".tmp") || strings.HasPrefix(n, ".seaworthy-")) {
			found = append(found, "half-written "+strings.TrimPrefix(p, b.dir))
		}
		return nil
	})
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	if bytes.Contains(mounts, []byte(b.dir)) {
		found = append(found, "a mount of "+b.dir)
	}
	return found
}

// nodesClean fails the test if a tool of ours is left on the nodes of a lab
// that lives.
func (b *box) nodesClean(lab string) {
	b.t.Helper()
	line := `ls -d /tmp/seaworthy* /var/tmp/seaworthy* /etc/seaworthy* 2>/dev/null; for p in /proc/[0-9]*; do test "$p" = /proc/$$ || tr '\0' ' ' <$p/cmdline 2>/dev/null; echo; done | grep -e probe -e iperf -e lparstat -e 'entstat'; true`
	var r *result
	gone := await.Within(time.Minute, func() bool {
		r = b.on(lab, "lpar1", line) // all nodes of a lab see its processes
		out := r.out
		for _, n := range nodes[1:] {
			out += b.on(lab, n, "ls -d /tmp/seaworthy* /var/tmp/seaworthy* /etc/seaworthy* 2>/dev/null").out
		}
		r.out = ""
		for l := range strings.Lines(out) {
			if !strings.Contains(l, "grep -e") {
				r.out += l
			}
		}
		return strings.TrimSpace(r.out) == ""
	})
	if gone {
		return
	}
	b.t.Errorf("left on the nodes of lab %s: %s", lab, r.out)
}
