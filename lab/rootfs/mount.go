package rootfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

func mount(source, target, fs string, flags uintptr, data string) error {
	if err := unix.Mount(source, target, fs, flags, data); err != nil {
		return fmt.Errorf("mount %s on %s: %w", fs, target, err)
	}
	return nil
}

// bind shows source, with all that is mounted below it, at target, which is
// made if it is not there.
func bind(source, target string) error {
	fi, err := os.Stat(source)
	if err != nil {
		return fmt.Errorf("show %s in the lab: %w", source, err)
	}
	if _, err := os.Lstat(target); errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if fi.IsDir() {
			err = os.Mkdir(target, 0o755)
		} else {
			err = os.WriteFile(target, nil, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("show %s in the lab at %s: %w", source, target, err)
	}
	return nil
}

// readOnly closes a mount and all below it for writing, devices and setuid.
func readOnly(target string) error {
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	err := unix.MountSetattr(unix.AT_FDCWD, target, unix.AT_RECURSIVE, attr)
	if errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("make %s read-only: the lab needs Linux 5.12 or newer: %w", target, err)
	}
	if err != nil {
		return fmt.Errorf("make %s read-only: %w", target, err)
	}
	return nil
}
