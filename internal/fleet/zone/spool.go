package zone

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/fleet/message"
)

// spool keeps results on disk until the hub has them. It is safe for concurrent use.
type spool struct {
	dir  string
	id   string // of the collector, the same after a restart
	lock *os.File

	mu    sync.Mutex
	files map[string]*entry // by job
	bytes int64
	held  int64 // of packs in memory
}

// entry is a result that is not sent to its end.
type entry struct {
	result message.Result
	file   string // of result and pack; empty: it could not be written, and has no pack
	size   int64
	pack   []byte // what is in the file, while there is room for it in memory
}

// Names in the spool's folder.
const (
	identity = "collector"
	results  = "results"
	begun    = "begun"
	hidden   = "redacted" // the results hold pseudonyms
	suffix   = ".result"
)

const (
	maxSpooled = message.MaxPack + message.MaxMessage
	mostHeld   = 64 << 20 // bytes of packs in memory
)

// openSpool opens the spool of a folder, which one process has at a time. What was read with
// and without pseudonyms does not mix.
func openSpool(ctx context.Context, dir string, redacted bool) (*spool, error) {
	for _, d := range []string{dir, filepath.Join(dir, results), filepath.Join(dir, begun)} {
		_, err := fileio.MkdirAll(d)
		if err != nil {
			return nil, fmt.Errorf("spool %s: %w", dir, err)
		}
	}
	lock, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("spool %s: %w", dir, fileio.Cause(err))
	}
	s := &spool{dir: dir, lock: lock, files: map[string]*entry{}}
	err = fileio.Lock(lock)
	if errors.Is(err, fileio.ErrLocked) {
		err = fmt.Errorf("%w: another fleet join has this spool: give each its own with --spool", err)
	}
	if err == nil {
		err = s.load(ctx)
	}
	if err == nil {
		err = s.hide(redacted)
	}
	if err == nil {
		err = s.identify(ctx, redacted)
	}
	if err != nil {
		lock.Close()
		return nil, fmt.Errorf("spool %s: %w", dir, err)
	}
	return s, nil
}

func (s *spool) close() { _ = s.lock.Close() }

// hide notes whether results hold pseudonyms from now on.
func (s *spool) hide(redacted bool) error {
	file := filepath.Join(s.dir, hidden)
	_, err := os.Lstat(file)
	was := err == nil
	switch {
	case was == redacted:
		return nil
	case len(s.files) > 0 && redacted:
		return errors.New("it holds results that were read without --redact: let them be sent first, or name another one with --spool")
	case len(s.files) > 0:
		return errors.New("it holds results that were read with --redact: let them be sent first, or name another one with --spool")
	case redacted:
		err = os.Remove(filepath.Join(s.dir, identity)) // it has the name of this machine
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = fileio.Write(file, nil)
		}
		return err
	}
	return os.Remove(file)
}

var identityForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,80}$`)

// identify reads the collector's identity, and makes it first where there is none.
func (s *spool) identify(ctx context.Context, redacted bool) error {
	file := filepath.Join(s.dir, identity)
	text, err := decode.Read(ctx, file, 1024)
	if errors.Is(err, fs.ErrNotExist) {
		var salt [4]byte
		rand.Read(salt[:])
		host := ""
		if !redacted {
			host, _ = os.Hostname() // without it the rest is enough
		}
		s.id = strings.Trim(unnamed.ReplaceAllString(host, "-"), "-")
		s.id = cmp.Or(s.id[:min(len(s.id), 60)], "collector") + "-" + hex.EncodeToString(salt[:])
		return fileio.Write(file, []byte(s.id+"\n"))
	}
	if err != nil {
		return err
	}
	s.id = strings.TrimSpace(string(text))
	if !identityForm.MatchString(s.id) {
		return fmt.Errorf("%s: damaged: remove it", file)
	}
	return nil
}

var unnamed = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// load finds the results that were not sent.
func (s *spool) load(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(s.dir, results))
	if err != nil {
		return err
	}
	for _, e := range entries {
		file := filepath.Join(s.dir, results, e.Name())
		if !strings.HasSuffix(e.Name(), suffix) {
			err = errors.Join(err, os.Remove(file)) // half of one
			continue
		}
		r, pack, bad := readSpooled(ctx, file)
		if bad != nil { // its host is read again
			err = errors.Join(err, os.Remove(file))
			continue
		}
		s.files[r.Job] = &entry{result: r, file: file, size: int64(len(pack))}
		s.bytes += int64(len(pack))
	}
	return err
}

func readSpooled(ctx context.Context, file string) (message.Result, []byte, error) {
	text, err := decode.Read(ctx, file, maxSpooled)
	if err != nil {
		return message.Result{}, nil, err
	}
	return ParseSpooled(text)
}

// ParseSpooled reads a result with its pack as the spool keeps them: a line of JSON, and
// the pack.
func ParseSpooled(text []byte) (message.Result, []byte, error) {
	r, pack, err := message.ParseResult(text)
	if err != nil {
		return r, nil, fmt.Errorf("spooled: %w", err)
	}
	want := ""
	if r.Pack != nil {
		want = r.Pack.Digest
	}
	if len(pack) > 0 && message.Digest(pack) != want || len(pack) == 0 && want != "" {
		return r, nil, errors.New("spooled result: damaged")
	}
	return r, pack, nil
}

// put keeps a result until it is sent. One that cannot be written is kept without its
// snapshot, with that as its reason.
func (s *spool) put(r message.Result, pack []byte) {
	e := &entry{result: r, size: int64(len(pack)), file: filepath.Join(s.dir, results, message.Digest([]byte(r.Job))[:32]+suffix)}
	text, err := message.WriteResult(r, pack)
	if err == nil { // a result that the disk loses with its power is read again: its job is the collector's until it was sent
		err = fileio.WriteUnsynced(e.file, text)
	}
	if err != nil {
		e.file, e.size, e.result.Pack = "", 0, nil
		e.result.Error = "read, but not kept in the zone: " + fileio.Cause(err).Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[r.Job] = e
	s.bytes += e.size
	if e.file != "" && s.held+e.size <= mostHeld {
		e.pack = pack
		s.held += e.size
	}
}

// get reads what is to be sent.
func (s *spool) get(ctx context.Context, e *entry) ([]byte, error) {
	if e.file == "" || e.pack != nil {
		return e.pack, nil
	}
	_, pack, err := readSpooled(ctx, e.file)
	return pack, err
}

// has reports whether a job's result is there.
func (s *spool) has(job string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[job] != nil
}

// waiting are the results that are there, the oldest first.
func (s *spool) waiting() []*entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*entry
	for _, e := range s.files {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *entry) int { return a.result.Ended.Compare(b.result.Ended) })
	return all
}

// drop forgets a result that the hub has.
func (s *spool) drop(e *entry) error {
	s.mu.Lock()
	delete(s.files, e.result.Job)
	s.bytes -= e.size
	s.held -= int64(len(e.pack))
	s.mu.Unlock()
	if e.file == "" {
		return nil
	}
	return os.Remove(e.file)
}

// state is how many results are there, and their bytes.
func (s *spool) state() (n int, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.files), s.bytes
}

func (s *spool) mark(host string) string {
	return filepath.Join(s.dir, begun, message.Digest([]byte(host))[:32])
}

// begin notes that a host is being read, and gives how often this collector ended while it
// read this host.
func (s *spool) begin(ctx context.Context, host string) int {
	times := 0
	text, err := decode.Read(ctx, s.mark(host), 32)
	if err == nil {
		times, _ = strconv.Atoi(strings.TrimSpace(string(text))) // half a mark is none
	}
	_ = fileio.WriteUnsynced(s.mark(host), []byte(strconv.Itoa(times+1))) // without it the host has more tries
	return times
}

// end notes that a host is read, or is not read any more by this collector's own will.
func (s *spool) end(host string) { _ = os.Remove(s.mark(host)) }
