package export

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"seaworthy/internal/base/fileio"
)

// Bounds of what a file being written holds in memory.
const (
	rowsPerGroup = 50_000
	rowsAtOnce   = 500
)

// Table is what became of a table.
type Table struct {
	Name  string `json:"name"`
	Rows  int64  `json:"rows"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// partitioned writes the rows of a table to a file for each date and zone.
type partitioned[T any] struct {
	dir   string // of the table
	day   string // of rows in the order of time
	open  map[partition]*part[T]
	table Table
}

// partition is the date and the zone of a file.
type partition struct{ day, zone string }

func newPartitioned[T any](dir, name string) *partitioned[T] {
	return &partitioned[T]{dir: filepath.Join(dir, name), open: map[partition]*part[T]{}, table: Table{Name: name}}
}

// addInOrder writes a row of a time. Rows come in the order of time, so that the files of one date are open at once.
func (p *partitioned[T]) addInOrder(at time.Time, zone string, row T) error {
	day := at.UTC().Format(time.DateOnly)
	if day != p.day {
		err := p.finish()
		if err != nil {
			return err
		}
		p.day = day
	}
	return p.add(at, zone, row)
}

// add writes a row of a time: its file is open until finish.
func (p *partitioned[T]) add(at time.Time, zone string, row T) error {
	day := at.UTC().Format(time.DateOnly)
	f := p.open[partition{day, zone}]
	if f == nil {
		if !zoneNames.MatchString(zone) { // a shared database may hold anything
			return fmt.Errorf("zone %.80q of the history: its name cannot be that of a folder", zone)
		}
		var err error
		f, err = newPart[T](filepath.Join(p.dir, "date="+day, "zone="+zone))
		if err != nil {
			return err
		}
		p.open[partition{day, zone}] = f
	}
	p.table.Rows++
	return f.add(row)
}

// finish ends the files that are open.
func (p *partitioned[T]) finish() error {
	for _, of := range slices.SortedFunc(maps.Keys(p.open), comparePartitions) {
		n, err := p.open[of].finish()
		delete(p.open, of)
		if err != nil {
			return err
		}
		p.table.Files++
		p.table.Bytes += n
	}
	return nil
}

func comparePartitions(a, b partition) int {
	return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.zone, b.zone))
}

// drop leaves nothing of the files that are open.
func (p *partitioned[T]) drop() {
	for _, f := range p.open {
		f.file.Drop()
	}
}

// part is a file of a table.
type part[T any] struct {
	file  *fileio.Pending
	size  int64
	rows  *parquet.GenericWriter[T]
	ready []T
	group int // rows since the last row group
}

func newPart[T any](dir string) (*part[T], error) {
	_, err := fileio.MkdirAll(dir)
	if err != nil {
		return nil, err
	}
	f := &part[T]{}
	f.file, err = fileio.Begin(filepath.Join(dir, "part-0.parquet"))
	if err != nil {
		return nil, err
	}
	f.rows = parquet.NewGenericWriter[T](f, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("seaworthy", "", ""))
	return f, nil
}

// Write counts what goes to the file.
func (f *part[T]) Write(data []byte) (int, error) {
	n, err := f.file.Write(data)
	f.size += int64(n)
	return n, err
}

func (f *part[T]) add(row T) error {
	f.ready = append(f.ready, row)
	if len(f.ready) < rowsAtOnce {
		return nil
	}
	return f.write()
}

func (f *part[T]) write() error {
	n, err := f.rows.Write(f.ready)
	f.group += n
	f.ready = f.ready[:0]
	if err == nil && f.group >= rowsPerGroup {
		f.group = 0
		err = f.rows.Flush()
	}
	return err
}

// finish ends the file, and gives its size in bytes. An error leaves nothing.
func (f *part[T]) finish() (int64, error) {
	err := f.write()
	if err == nil {
		err = f.rows.Close()
	}
	if err != nil {
		f.file.Drop()
		return 0, err
	}
	err = f.file.Finish()
	if err != nil {
		return 0, fmt.Errorf("Parquet: %w", err)
	}
	return f.size, nil
}
