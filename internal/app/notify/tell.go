package notify

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
)

// SchemaTold names the format of the file that holds what a receiver was told.
const SchemaTold = "seaworthy.notified/1"

// toldFile is what a receiver was told.
type toldFile struct {
	Schema string `json:"schema"`
	Source string `json:"source"`
	Items  []Item `json:"items"` // that it takes to hold
}

// largestTold bounds such a file, in bytes.
const largestTold = 256 << 20

// Told counts what a receiver was told.
type Told struct{ New, Gone int }

// Tell tells a receiver what is new or gone since it was told last; dir keeps that. It takes no
// longer than half a minute. What the receiver did not take is told next time.
func (r *Receiver) Tell(ctx context.Context, dir string, now Present) (Told, error) {
	ctx, stop := context.WithTimeout(ctx, longest)
	defer stop()
	var told Told
	_, err := fileio.MkdirAll(dir)
	if err != nil {
		return told, err
	}
	sum := sha256.Sum256([]byte(now.Source + "\x00" + r.identity()))
	base := filepath.Join(dir, fmt.Sprintf("%x", sum[:16]))
	lock, err := fileio.Open(base+".lock", os.O_RDWR)
	if err != nil {
		return told, err
	}
	defer lock.Close()
	err = fileio.Lock(lock)
	if err != nil {
		return told, fmt.Errorf("notify %s: %w", r, err)
	}
	known, err := readTold(ctx, base+".json")
	if err != nil {
		return told, err
	}
	for _, s := range now.messages(known) {
		text, err := s.message.text()
		if err == nil {
			err = r.send(ctx, text)
		}
		if err != nil {
			return told, fmt.Errorf("notify: %w; what is new and gone is told next time", err)
		}
		told.New += len(s.message.New)
		told.Gone += len(s.message.Gone)
		s.told(known)
		err = writeTold(base+".json", now.Source, known)
		if err != nil {
			return told, err
		}
	}
	return told, nil
}

// readTold gives what a receiver knows, by id; none without a file.
func readTold(ctx context.Context, file string) (map[string]Item, error) {
	known := map[string]Item{}
	text, err := decode.Read(ctx, file, largestTold)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, fileio.Cause(err))
	}
	var f toldFile
	err = decode.JSON(file, text, &f, decode.Newer)
	if err == nil && f.Schema != SchemaTold {
		err = fmt.Errorf("it is not %s", SchemaTold)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: remove it to be told of everything again", file, err)
	}
	for _, x := range f.Items {
		known[x.ID] = x
	}
	return known, nil
}

func writeTold(file, source string, known map[string]Item) error {
	f := toldFile{Schema: SchemaTold, Source: source, Items: []Item{}}
	for _, x := range known {
		f.Items = append(f.Items, x)
	}
	slices.SortFunc(f.Items, byID)
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return fileio.Write(file, append(text, '\n'))
}
