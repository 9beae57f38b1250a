package smalldisk

import (
	"errors"
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// Mount mounts a file system with room for so many bytes until the test ends. Without root it
// skips the test.
func Mount(t testing.TB, bytes int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes))
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		t.Skipf("no file system can be mounted: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := unix.Unmount(dir, unix.MNT_DETACH)
		if err != nil {
			t.Error(err)
		}
	})
	return dir
}
