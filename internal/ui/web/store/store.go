package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"seaworthy/internal/audit/rule"
	"seaworthy/internal/audit/waiver"
)

// Options say what is read and how it is judged.
type Options struct {
	Dirs    []string
	Rules   *rule.Set
	Waivers []waiver.Waiver
	Every   time.Duration // the least time between two looks at the folders; 0: 3 s

	First    <-chan struct{} // closed once there is something in the folders; nil: there is
	Problems func() []string // why hosts are not in the folders; nil: nobody knows
}

// Store has the newest State. It is safe for concurrent use.
type Store struct {
	o     Options
	poke  chan struct{}
	reads chan struct{}

	mu      sync.Mutex
	state   *State   // nil: none yet
	reading *reading // under way; nil: none
	failed  error    // why the last one came to nothing
	ready   chan struct{}
}

// readsAtOnce is how many outputs are read for pages at the same time: one may have
// many megabytes.
const readsAtOnce = 4

// Open begins to read the folders, and follows them until the context ends.
func Open(ctx context.Context, o Options) *Store {
	if o.Every == 0 {
		o.Every = 3 * time.Second
	}
	s := &Store{o: o, poke: make(chan struct{}, 1), reads: make(chan struct{}, readsAtOnce), ready: make(chan struct{}), reading: begin()}
	go s.follow(ctx)
	return s
}

func begin() *reading { return &reading{phase: Collecting, dirs: map[string][]saved{}} }

// State returns what is known now. It has the folders looked at, without waiting.
func (s *Store) State() (*State, error) {
	select {
	case s.poke <- struct{}{}:
	default: // asked for already
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == nil && s.reading == nil {
		return nil, s.failed
	}
	if s.state == nil {
		return s.reading.soFar(), nil
	}
	now := *s.state
	now.Again = s.reading != nil
	if s.o.Problems != nil {
		now.Problems = slices.Concat(now.Problems, s.o.Problems())
	}
	if s.failed != nil {
		now.Problems = append(now.Problems[:len(now.Problems):len(now.Problems)], s.failed.Error())
	}
	return &now, nil
}

// Ready is closed when the first State is whole, or failed.
func (s *Store) Ready() <-chan struct{} { return s.ready }

// follow reads the folders, and again whenever somebody asks and they changed.
func (s *Store) follow(ctx context.Context) {
	stamp, first := uint64(0), true
	if s.o.First != nil {
		select {
		case <-s.o.First:
		case <-ctx.Done():
			return
		}
	}
	for {
		w, err := walk(ctx, s.o.Dirs)
		switch {
		case err != nil:
			s.setState(nil, err)
		case w.stamp != stamp:
			s.mu.Lock()
			if s.reading == nil {
				s.reading = begin()
			}
			r := s.reading
			s.mu.Unlock()
			state, err := r.state(ctx, s.o, w)
			s.setState(state, err)
			stamp = w.stamp
			if err != nil {
				stamp = 0
			}
		}
		if first {
			close(s.ready)
			first = false
		}
		pause := time.NewTimer(s.o.Every)
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-s.poke:
		}
	}
}

func (s *Store) setState(state *State, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reading, s.failed = nil, err
	if state != nil {
		state.Generation = 1
		if s.state != nil {
			state.Generation = s.state.Generation + 1
		}
		state.reads = s.reads
		s.state = state
	}
}
