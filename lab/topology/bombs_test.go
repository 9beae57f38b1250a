package topology

import (
	"context"
	"path/filepath"
	"testing"

	"seaworthy/internal/test/bombs"
)

func TestBombs(t *testing.T) {
	bombs.Each(t, "topology", "site.yaml", func(ctx context.Context, dir string) error {
		file, text, err := Source(ctx, filepath.Join(dir, "site.yaml"))
		if err != nil {
			return err
		}
		_, err = Parse(file, text)
		return err
	})
}
