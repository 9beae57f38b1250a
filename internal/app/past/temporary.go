package past

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/history"
)

// Temporary is a history of folders alone, on disk until end is called. Snapshots that could not be read are given with it.
func Temporary(
	ctx context.Context, access fleet.Access, dirs []string,
) (store *history.Store, failed []fleet.Failure, end func(), err error) {
	dir, err := fileio.MkdirTemp("", "seaworthy-")
	if err != nil {
		return nil, nil, nil, err
	}
	store, err = history.Open(ctx, "sqlite:"+filepath.Join(dir, "history.sqlite"), func(string) {})
	if err != nil {
		return nil, nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	end = func() {
		store.Close()
		_ = os.RemoveAll(dir) // what is left is in the system's folder for such
	}
	added, err := Add(ctx, access, store, dirs)
	if err != nil {
		end()
		return nil, nil, nil, err
	}
	return store, added.Failed, end, nil
}
