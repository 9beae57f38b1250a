package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"seaworthy/internal/base/decode"
	"seaworthy/internal/collect/redact"
	"seaworthy/internal/measure/stats"
)

//go:embed benchmarks.yaml
var benchmarks []byte

// section is a part of the page. Its scripts run in one folder, one after the
// other; what ends with & there is the script's own to wait for.
type section struct {
	Name    string `yaml:"name"`
	Title   string `yaml:"title"`
	Text    string `yaml:"text"`
	Steps   []step `yaml:"steps"`
	Finally string `yaml:"finally"` // also after a failure
}

// step is one of its fields.
type step struct {
	Text  string    `yaml:"text"`  // for the page
	Do    string    `yaml:"do"`    // prepares
	Time  []measure `yaml:"time"`  // a table, one row each
	Show  string    `yaml:"show"`  // its output is for the page
	Fleet int       `yaml:"fleet"` // this many hosts in the folder fleet, copies of those in saved
	Full  bool      `yaml:"full"`  // left out with -quick
}

// measure is a script that is run Times times, or a fifth with -quick.
type measure struct {
	What   string `yaml:"what"`
	Times  int    `yaml:"times"`
	Before string `yaml:"before"` // each time; not measured
	Run    string `yaml:"run"`
	After  string `yaml:"after"`  // likewise
	Prints string `yaml:"prints"` // unit of the number that Run prints, s or MB; without it, its wall time is the figure
}

func sections() ([]section, error) {
	var all []section
	if err := decode.YAML("benchmarks.yaml", benchmarks, &all); err != nil {
		return nil, err
	}
	return all, nil
}

func (s *suite) section(ctx context.Context, x section) (err error) {
	s.page.say("\n## %s\n", x.Title)
	s.page.say("%s", x.Text)
	defer func() {
		_, failed := s.shell(context.WithoutCancel(ctx), x.Finally)
		err = errors.Join(err, failed)
	}()
	for _, step := range x.Steps {
		if s.quick && step.Full {
			continue
		}
		if err := s.step(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

func (s *suite) step(ctx context.Context, x step) error {
	if x.Text != "" {
		s.page.say("\n%s", x.Text)
	}
	if x.Fleet > 0 {
		if err := s.fleet(ctx, x.Fleet); err != nil {
			return err
		}
	}
	if _, err := s.shell(ctx, x.Do); err != nil {
		return err
	}
	if len(x.Time) > 0 {
		s.page.say("\n| what | n | median | 95 %% interval | longest | CPU | memory |\n|%s", strings.Repeat(" --- |", 7))
	}
	for _, m := range x.Time {
		if err := s.measure(ctx, m); err != nil {
			return fmt.Errorf("%s: %w", m.What, err)
		}
	}
	if x.Show != "" {
		r, err := s.shell(ctx, x.Show)
		if err != nil {
			return err
		}
		s.page.say("\n```text\n%s\n```", r.text)
	}
	return nil
}

// measure adds a row. CPU time is the median over the runs, and memory the
// largest resident set of any process that a run waited for.
func (s *suite) measure(ctx context.Context, m measure) error {
	times := m.Times
	if s.quick {
		times = max(min(2, times), times/5)
	}
	var figures, cpu []float64
	memory := int64(0)
	for range times {
		if _, err := s.shell(ctx, m.Before); err != nil {
			return err
		}
		r, err := s.shell(ctx, m.Run)
		if err != nil {
			return err
		}
		figure := r.wall.Seconds()
		if m.Prints != "" {
			if figure, err = strconv.ParseFloat(r.text, 64); err != nil {
				return fmt.Errorf("the script prints %q, not one number", r.text)
			}
		}
		figures, cpu, memory = append(figures, figure), append(cpu, r.cpu.Seconds()), max(memory, r.memory)
		if _, err := s.shell(ctx, m.After); err != nil {
			return err
		}
	}
	if m.Prints != "" {
		s.page.row(append(s.page.summary(m.What, figures, m.Prints), "-", "-")...)
		return nil
	}
	cores := stats.Summarise(cpu)
	s.page.row(append(s.page.summary(m.What, figures, "s"), figured(cores.Median, "s"), figured(float64(memory)/1e6, "MB"))...)
	return nil
}

// fleet fills a folder with copies of saved hosts, each redacted with a key of
// its own, so that names, addresses and serial numbers differ.
func (s *suite) fleet(ctx context.Context, hosts int) error {
	dir, saved := filepath.Join(s.state, "fleet"), filepath.Join(s.state, "saved")
	old, err := filepath.Glob(filepath.Join(saved, "*", "manifest.json"))
	if err != nil || len(old) == 0 {
		return fmt.Errorf("no saved hosts to copy in %s: %w", saved, err)
	}
	made, _ := filepath.Glob(filepath.Join(dir, "*", "manifest.json"))
	for n := len(made); n < hosts; n += len(old) {
		key, err := redact.NewKey([]byte("a fleet of copies: " + strconv.Itoa(n)))
		if err != nil {
			return err
		}
		if _, err := redact.Folder(ctx, saved, dir, key, false); err != nil {
			return err
		}
	}
	return nil
}
