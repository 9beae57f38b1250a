package quota

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// script hears of groups and folders until its input ends, and then removes them: groups as soon as nothing runs in
// them, for five minutes at most, a folder if nobody else has its lock by then.
const script = `lock= folder= tries=0
while read -r kind path; do
	case $kind in
	group) set -- "$path" "$@" ;;
	lock) lock=$path ;;
	folder) folder=$path ;;
	esac
done
while :; do
	left=
	[ $# -eq 0 ] || rmdir "$@" 2>/dev/null
	for d in "$@"; do [ -d "$d" ] && left=1; done
	if [ "$folder" ]; then
		flock -n "$lock" rm -rf "$folder" 2>/dev/null || rmdir "$folder" 2>/dev/null
		[ -d "$folder" ] && [ $tries -lt 20 ] && left=1
	fi
	tries=$((tries + 1))
	[ "$left" ] && [ $tries -lt 600 ] || exit 0
	sleep 0.5
done`

// Guard removes what a lab has outside its processes, when they have all ended.
type Guard struct{ end *os.File }

// StartGuard starts a process that removes what it has been told of when the guard's file, and every copy of it, is
// closed.
func StartGuard() (*Guard, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", script, "seaworthy-guard")
	cmd.Dir, cmd.Stdin = "/", r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	if err != nil {
		w.Close()
		return nil, fmt.Errorf("start the guard of control groups: %w", err)
	}
	go func() { _ = cmd.Wait() }()
	return &Guard{w}, nil
}

// File is what a process holds that needs what is guarded.
func (g *Guard) File() *os.File { return g.end }

// Close lets go of the guard's file.
func (g *Guard) Close() { g.end.Close() }

// Folder has a folder and all in it removed, unless another process has taken its lock: a file in it, for flock(2).
func (g *Guard) Folder(dir, lock string) error { return g.tell("lock %s\nfolder %s\n", lock, dir) }

// group has a control group removed.
func (g *Guard) group(dir string) error { return g.tell("group %s\n", dir) }

func (g *Guard) tell(format string, args ...any) error {
	if g == nil {
		return nil
	}
	_, err := fmt.Fprintf(g.end, format, args...)
	if err != nil {
		return fmt.Errorf("guard of control groups: %w", err)
	}
	return nil
}
