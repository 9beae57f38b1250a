package main_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"seaworthy/internal/cli/command"
	"seaworthy/internal/test/draw"
)

// small runs a line of sh where $D is a file system with that much room; $S is
// the program. It is mounted in namespaces of its own and gone with the line.
func (b *box) small(size, line string) *result {
	b.t.Helper()
	if err := os.MkdirAll(b.path("disk"), 0o755); err != nil {
		b.t.Fatal(err)
	}
	r := &running{Cmd: b.command(), t: b.t, ended: make(chan struct{})}
	r.Path, r.Args = "/bin/sh", []string{"sh", "-c", "mount -t tmpfs -o mode=755,size=" + size + " small \"$D\" || { echo cannot mount >&2; exit 99; }; " + line}
	r.Env = append(r.Env, "S="+b.path("bin", "seaworthy"), "D="+b.path("disk"))
	r.Stdout, r.Stderr = &r.out, &r.err
	r.SysProcAttr.Cloneflags = syscall.CLONE_NEWNS
	if os.Geteuid() != 0 {
		r.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		r.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		r.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	r.begin()
	res := r.end()
	if res.exit == 99 {
		if os.Getenv("CI") == "true" {
			b.t.Fatal(res)
		}
		b.t.Skip("no small file system on this machine: ", res.err)
	}
	return res
}

// fill leaves no room on $D.
const fill = `dd if=/dev/zero of="$D/fill" bs=4k 2>/dev/null; `

func TestFullDisk(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	if _, err := exec.LookPath("mount"); errors.Is(err, exec.ErrNotFound) {
		t.Skip("no mount on this machine")
	}
	b := newBox(t, false)
	b.lab("d")
	before := b.values("d")
	plan := b.plan("d")
	none := "no space left"
	type full struct {
		name, size, line string
		exit             int
		want             string
		not              string // what must not be there, in $D
	}
	for _, c := range draw.OneIn(t, 2, []full{
		{"collect -o", "64k", `$S collect -i lab:d -o $D/snap`, command.ExitFailed, none, ""},
		{"collect -o, full", "64k", fill + `$S collect -i lab:d -o $D/snap`, command.ExitFailed, none, ""},
		{"plan -o", "64k", fill + `$S plan -i lab:d --only R001 -o $D/plan.json`, command.ExitFailed, none, "plan.json"},
		{"bench -o", "64k", fill + `$S bench run -i lab:d --from lpar1 --to lpar2 --seconds 0.1 -n 1 --counters=false -o $D/bench.json`, command.ExitFailed, none, "bench.json"},
		{"journal", "64k", fill + `XDG_STATE_HOME=$D $S apply -i lab:d ` + plan, command.ExitFailed, none, "seaworthy/runs/2*"},
		{"audit with TMPDIR full", "64k", fill + `TMPDIR=$D $S audit -i lab:d --fail-on never`, command.ExitDone, "", ""},
		{"state of labs", "64k", fill + `XDG_RUNTIME_DIR=$D $S lab up two-systems --name full`, command.ExitFailed, none, "seaworthy/full"},
		{"state of labs, some room", "16k", `XDG_RUNTIME_DIR=$D $S lab up two-systems --name full`, command.ExitFailed, none, "seaworthy/full"},
		{"demo", "16k", `XDG_RUNTIME_DIR=$D $S ` + strings.Join(demo, " "), command.ExitFailed, none, "seaworthy/demo*"},
	}) {
		line := c.line + `; e=$?; ls -d $D/.seaworthy* 2>/dev/null; find $D -name '*.tmp'; test -z "` + c.not + `" || ls -d $D/` + c.not + ` 2>/dev/null; exit $e`
		r := b.small(c.size, "{ "+line+"; } 3>&1 ")
		if r.exit != c.exit || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: %s\nwant exit %d and %q", c.name, r, c.exit, c.want)
		}
		if strings.Contains(r.out, b.path("disk")) && !strings.Contains(c.line, "collect") {
			t.Errorf("%s: %s\nleft half-written", c.name, r)
		}
		if now := b.values("d"); now != before {
			t.Fatalf("%s: values (-before +now):\n%s", c.name, diff(before, now))
		}
	}
	b.nodesClean("d")
}

// The journal fills up half-way: what was done is undone and said to be, and
// nothing goes on unrecorded.
func TestJournalFillsUp(t *testing.T) {
	draw.Rarely(t, 10)
	t.Parallel()
	b := newBox(t, false)
	b.lab("j")
	before := b.values("j")
	plan := b.path("out", "long.json") // its journal does not fit into a block
	args := []string{"plan", "-i", "lab:j", "-o", plan}
	for _, h := range []string{"lpar1", "lpar2"} {
		for _, s := range []string{"en0:mtu_bypass=on", "en0:tcp_sendspace=131072", "en0:tcp_recvspace=131072", "en0:rfc1323=1",
			"no:tcp_sendspace=65536", "no:tcp_recvspace=65536", "no:udp_sendspace=65536", "no:udp_recvspace=655360", "no:sb_max=2097152", "no:sack=1"} {
			args = append(args, "--set", h+":"+s)
		}
	}
	b.must(command.ExitNo, args...)
	// The last room goes as soon as the journal has begun.
	r := b.small("64k", `mkdir -p $D/s; (while ! ls $D/s/seaworthy/runs/*/journal.jsonl >/dev/null 2>&1; do :; done; `+fill+`) & XDG_STATE_HOME=$D/s $S apply -i lab:j `+plan+`; e=$?; wait; exit $e`)
	switch r.exit {
	case command.ExitRolledBack:
	case command.ExitFailed:
		r.says(t, "nothing was changed")
	default:
		t.Errorf("%s\nwant exit 4: rolled back", r)
	}
	r.says(t, "no space left")
	if now := b.values("j"); now != before {
		t.Errorf("%s\nvalues (-before +now):\n%s", r, diff(before, now))
	}
}
