package iplink

import (
	"bytes"
	"encoding/json"
	"fmt"

	"seaworthy/dialect"
)

// Parse reads ip -j link or ip -j addr. Errors: dialect.ErrNotRecognised if the
// text is no JSON array of devices; a text that was cut off is none.
func Parse(text []byte) (*Links, error) {
	l := &Links{}
	if err := read(text, &l.Report, &l.Links); err != nil {
		return nil, fmt.Errorf("ip -j link: %w", err)
	}
	for i, x := range l.Links {
		// "ip -j addr show up" prints an empty object for each device it leaves out.
		if x == nil || (x.Name == "" && len(x.rest.order) > 0) {
			return nil, fmt.Errorf("ip -j link: element %d is no device: %w", i, dialect.ErrNotRecognised)
		}
	}
	return l, nil
}

// ParseRoutes reads ip -j route. Errors: as Parse.
func ParseRoutes(text []byte) (*Routes, error) {
	r := &Routes{}
	if err := read(text, &r.Report, &r.Routes); err != nil {
		return nil, fmt.Errorf("ip -j route: %w", err)
	}
	for i, x := range r.Routes {
		if x == nil || x.To == "" {
			return nil, fmt.Errorf("ip -j route: element %d is no route: %w", i, dialect.ErrNotRecognised)
		}
	}
	return r, nil
}

func read(text []byte, report *dialect.Report, into any) error {
	if len(text) > dialect.MaxText {
		return dialect.ErrNotRecognised
	}
	plain := text
	if bytes.IndexByte(text, 0x1b) >= 0 { // ip -c colours even JSON
		plain = []byte(dialect.StripEscapes(string(text)))
	}
	if trimmed := bytes.TrimSpace(plain); len(trimmed) == 0 || trimmed[0] != '[' {
		return dialect.ErrNotRecognised
	}
	if err := json.Unmarshal(plain, into); err != nil {
		return fmt.Errorf("%w: %w", dialect.ErrNotRecognised, err)
	}
	report.Lines = len(dialect.Split(text).Lines)
	return nil
}

// Format prints Links as ip -j does.
func Format(l *Links) []byte { return write(l.Links) }

// FormatRoutes prints Routes as ip -j does.
func FormatRoutes(r *Routes) []byte { return write(r.Routes) }

// write cannot fail: the types hold nothing that JSON cannot hold.
func write[T any](list []T) []byte {
	if list == nil {
		list = []T{}
	}
	text, err := marshal(list)
	if err != nil {
		return nil
	}
	return append(text, '\n')
}
