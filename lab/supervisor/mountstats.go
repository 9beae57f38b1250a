package supervisor

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"seaworthy/lab/fusefs"
)

// MountStats shows a file on every node whose text is made when it is opened. Its
// folder becomes the node's own, with nothing else in it. Call it once a path,
// before the nodes are in use.
func (s *LabState) MountStats(path string, text func(node string) ([]byte, error)) error {
	files := map[string]fusefs.File{}
	for name := range s.nodes {
		files[name] = func() ([]byte, error) { return text(name) }
	}
	dir, err := os.MkdirTemp(mountPoint(s.Dir), "live") // which no node sees
	if err != nil {
		return err
	}
	if err := fusefs.Mount(dir, files); err != nil {
		return err
	}
	for name, p := range s.nodes {
		file, err := unix.OpenTree(unix.AT_FDCWD, filepath.Join(dir, name), unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err == nil {
			err = p.do(func() error { return show(file, path) })
			unix.Close(file)
		}
		if err != nil {
			_ = unix.Unmount(dir, unix.MNT_DETACH)
			return fmt.Errorf("%s: show %s: %w", name, path, err)
		}
	}
	return nil
}

// show mounts a file at a path, in a folder of its own.
func show(file int, path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "mode=755,size=64k"); err != nil {
		return err
	}
	if err := os.WriteFile(path, nil, 0o444); err != nil {
		return err
	}
	return unix.MoveMount(file, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}
