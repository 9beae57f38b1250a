package past

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/change/execute"
	"seaworthy/internal/history"
)

// Variable is the environment variable that names the history of a team.
const Variable = "SEAWORTHY_HISTORY"

// Location is where the history is: as a user named it, by the environment variable, or
// the file of this user.
func Location(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	set := os.Getenv(Variable)
	if set != "" {
		return set, nil
	}
	journals, err := execute.DefaultJournals()
	if err != nil {
		return "", err
	}
	return "sqlite:" + filepath.Join(filepath.Dir(journals.Dir), "history.sqlite"), nil
}

// Open opens the history that a user named; empty: the default one. The caller closes it.
func Open(ctx context.Context, access fleet.Access, named string) (*history.Store, error) {
	location, err := Location(named)
	if err != nil {
		return nil, err
	}
	return history.Open(ctx, location, func(line string) { access.Notice("%s", line) })
}

// OpenToRead is Open for what only reads: a file that was named and is not there is a misspelt one, which is not made. The
// default one is: who asks first is told that it holds nothing.
func OpenToRead(ctx context.Context, access fleet.Access, named string) (*history.Store, error) {
	if named == "" {
		named = os.Getenv(Variable)
	}
	file, isFile := strings.CutPrefix(named, "sqlite:")
	if isFile && file != "" {
		_, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("history %s: no such file: seaworthy history add DIR --history %[1]s makes it", named)
		}
	}
	return Open(ctx, access, named)
}
