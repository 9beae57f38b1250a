package sshconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	maxFile  = 4 << 20 // a config file is a few kilobytes
	maxDepth = 16      // nested Includes, as in OpenSSH
)

// line is one directive with its place in a file.
type line struct {
	key   string   // lower case
	value string   // as written, without comment or quotes where it is one word
	words []string // of value
	file  string
	num   int
}

func (l line) same(m line) bool { return l.file == m.file && l.num == m.num }

func (l line) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", l.file, l.num, fmt.Errorf(format, args...))
}

// block is a Host or Match line and the lines below it. An Include is a
// directive whose nested blocks apply only where the block does.
type block struct {
	head  line // key is "host", "match" or empty (top of a file)
	nodes []node
}

type node struct {
	line
	include []block // if key is "include"
}

// Config is a set of ssh configuration files, in order of precedence.
type Config struct {
	blocks []block
	home   string
}

// Load reads one explicit file, as ssh -F does, or with an empty name the
// user's ~/.ssh/config and then /etc/ssh/ssh_config, where either may be
// missing.
func Load(file string) (*Config, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/"
	}
	c := &Config{home: home}
	if file != "" {
		c.blocks, err = c.read(file, filepath.Join(home, ".ssh"), 0)
		if err != nil {
			return nil, fmt.Errorf("ssh configuration: %w", err)
		}
		return c, nil
	}
	for _, f := range []string{filepath.Join(home, ".ssh", "config"), "/etc/ssh/ssh_config"} {
		blocks, err := c.read(f, filepath.Dir(f), 0)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("ssh configuration: %w", err)
		}
		c.blocks = append(c.blocks, blocks...)
	}
	return c, nil
}

func (c *Config) read(file, relative string, depth int) ([]block, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: Include nested more than %d deep", file, maxDepth)
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: larger than %d bytes", file, maxFile)
	}
	return c.parse(file, text, relative, depth)
}

func (c *Config) parse(file string, text []byte, relative string, depth int) ([]block, error) {
	blocks := []block{{}}
	for i, raw := range bytes.Split(text, []byte("\n")) {
		at, err := directive(string(raw))
		at.file, at.num = file, i+1
		if err != nil {
			return nil, at.errorf("%w", err)
		}
		last := &blocks[len(blocks)-1]
		switch at.key {
		case "":
		case "host", "match":
			blocks = append(blocks, block{head: at})
		case "include":
			nested, err := c.include(at, relative, depth)
			if err != nil {
				return nil, err
			}
			last.nodes = append(last.nodes, node{line: at, include: nested})
		default:
			last.nodes = append(last.nodes, node{line: at})
		}
	}
	return blocks, nil
}

// directive reads one line: a keyword, then blanks or one equals sign, then its
// words. A line without a directive has no key.
func directive(raw string) (line, error) {
	raw = strings.TrimSpace(raw)
	if raw == "" || raw[0] == '#' {
		return line{}, nil
	}
	end := strings.IndexAny(raw, " \t=")
	if end < 0 {
		return line{}, fmt.Errorf("%s has no value", raw)
	}
	if end == 0 {
		return line{}, errors.New("not a directive: no keyword before =")
	}
	at := line{key: strings.ToLower(raw[:end])}
	at.value = strings.TrimLeft(raw[end:], " \t")
	at.value = strings.TrimLeft(strings.TrimPrefix(at.value, "="), " \t")
	var err error
	if at.words, err = split(at.value); err != nil {
		return at, err
	}
	switch {
	case len(at.words) == 0:
		return at, fmt.Errorf("%s has no value", raw[:end])
	case at.key != "proxycommand": // which goes to the shell as it is written
		at.value = strings.Join(at.words, " ")
	}
	return at, nil
}

func (c *Config) include(at line, relative string, depth int) ([]block, error) {
	var all []block
	for _, w := range at.words {
		path := c.tilde(w)
		if !filepath.IsAbs(path) {
			path = filepath.Join(relative, path)
		}
		names, err := filepath.Glob(path)
		if err != nil {
			return nil, at.errorf("Include %s: %w", w, err)
		}
		for _, name := range names {
			nested, err := c.read(name, relative, depth+1)
			if err != nil {
				return nil, at.errorf("Include: %w", err)
			}
			all = append(all, nested...)
		}
	}
	return all, nil
}

func (c *Config) tilde(path string) string {
	if path == "~" {
		return c.home
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(c.home, rest)
	}
	return path
}

// split cuts a value into words: blanks separate, double quotes hold together,
// an unquoted # begins a comment.
func split(s string) ([]string, error) {
	var words []string
	var w strings.Builder
	quoted, open := false, false
	for _, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
			open = true
		case !quoted && (r == ' ' || r == '\t'):
			if open {
				words = append(words, w.String())
				w.Reset()
			}
			open = false
		case !quoted && !open && r == '#':
			return words, nil
		default:
			w.WriteRune(r)
			open = true
		}
	}
	if quoted {
		return nil, errors.New("a quote is not closed")
	}
	if open {
		words = append(words, w.String())
	}
	return words, nil
}
