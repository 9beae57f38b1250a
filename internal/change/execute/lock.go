package execute

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/watchdog"
)

// lockPoll is how often a host in use is asked for again.
const lockPoll = 50 * time.Millisecond

// lock waits until no other run of this user changes one of the hosts. The
// kernel lets go of the locks with the process, however that ends. Hosts are
// taken in order of their names, so that two runs cannot wait for each other.
func (j Journals) lock(ctx context.Context, hosts []string) (release func(), err error) {
	if _, err := fileio.MkdirAll(j.Dir); err != nil {
		return nil, fmt.Errorf("journal: %w (nothing was changed)", err)
	}
	var held []*os.File
	release = func() {
		for _, f := range held {
			f.Close()
		}
	}
	for _, h := range slices.Compact(slices.Sorted(slices.Values(hosts))) {
		f, err := fileio.Open(filepath.Join(j.Dir, "lock."+url.PathEscape(h)), os.O_RDWR)
		if err != nil {
			release()
			return nil, fmt.Errorf("journal: %w (nothing was changed)", err)
		}
		held = append(held, f)
		if err := await(ctx, f); err != nil {
			release()
			return nil, fmt.Errorf("%s: another run is changing it: %w", h, err)
		}
	}
	return release, nil
}

func await(ctx context.Context, f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil || !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return err
		}
		if err := pause(ctx, lockPoll); err != nil {
			return err
		}
	}
}

// claim marks a journal as being written until the process ends, however it ends. Others
// of the same run may write it too.
func claim(journal *os.File) error {
	for {
		err := unix.Flock(int(journal.Fd()), unix.LOCK_SH)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// written says whether a process writes a journal; where locks tell nothing, it says so too.
func written(path string) bool {
	f, err := fileio.Open(path, os.O_RDWR)
	if err != nil {
		return true
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}

// leaseTime is how long a host's lock outlives a program that was killed.
const leaseTime = time.Minute

// lockHosts takes the hosts' own locks, and keeps them until leave is called: a run
// without steps, as far as the hosts know. A host that does not hear that it is over
// lets go by itself.
func (k *attempt) lockHosts(ctx context.Context, id string, hosts []string) error {
	err := k.arm(ctx, hosts, watchdog.Job{ID: id, Window: leaseTime})
	ctx = context.WithoutCancel(ctx)
	stop := k.alive(ctx, id, leaseTime, hosts)
	k.leave = func() {
		stop()
		_ = forEachHost(hosts, func(h string) error { return k.watchdog(h).Leave(ctx, id) })
	}
	return err
}

// release gives back what take has taken.
func (k *attempt) release() {
	if k.leave != nil {
		k.leave()
	}
}
