package sshconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/kevinburke/ssh_config"
)

const (
	maxFile  = 4 << 20 // a config file is a few kilobytes
	maxDepth = 16      // nested Includes, as in OpenSSH
)

// line is one directive with the place it stands at.
type line struct {
	key   string // lower case
	value string
	file  string
	num   int
}

func (l line) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", l.file, l.num, fmt.Errorf(format, args...))
}

// block is a Host or Match line and what stands below it. An Include is a
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

// structure matches the lines that decide which others apply.
var structure = regexp.MustCompile(`(?i)^[ \t]*(host|match|include)(?:[ \t]*=[ \t]*|[ \t]+)(.*?)[ \t\r]*$`)

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
		at := line{file: file, num: i + 1}
		if m := structure.FindSubmatch(raw); m != nil {
			at.key, at.value = strings.ToLower(string(m[1])), string(m[2])
		} else {
			kv, err := directive(raw)
			if err != nil {
				return nil, at.errorf("%w", err)
			}
			if kv == nil {
				continue
			}
			at.key, at.value = strings.ToLower(kv.Key), kv.Value
		}
		switch at.key {
		case "host", "match":
			blocks = append(blocks, block{head: at})
		case "include":
			nested, err := c.include(at, relative, depth)
			if err != nil {
				return nil, err
			}
			last := &blocks[len(blocks)-1]
			last.nodes = append(last.nodes, node{line: at, include: nested})
		default:
			last := &blocks[len(blocks)-1]
			last.nodes = append(last.nodes, node{line: at})
		}
	}
	return blocks, nil
}

// directive reads one line that is neither Host nor Match nor Include.
func directive(raw []byte) (*ssh_config.KV, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] == '#' {
		return nil, nil
	}
	cfg, err := ssh_config.DecodeBytes(raw)
	if err != nil {
		return nil, errors.New("not a directive: " + err.Error())
	}
	for _, h := range cfg.Hosts {
		for _, n := range h.Nodes {
			if kv, ok := n.(*ssh_config.KV); ok {
				if kv.Value == "" {
					return nil, fmt.Errorf("%s has no value", kv.Key)
				}
				return kv, nil
			}
		}
	}
	return nil, nil
}

func (c *Config) include(at line, relative string, depth int) ([]block, error) {
	words, err := split(at.value)
	if err != nil {
		return nil, at.errorf("%w", err)
	}
	var all []block
	for _, w := range words {
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
