// Package nmcli reads NetworkManager's connections as nmcli connection show NAME
// prints them, with -t or without: "property:value" lines, one connection after the
// other, each of which begins with connection.id. The version of nmcli may come before them.
package nmcli

import (
	"strings"

	"seaworthy/dialect"
)

// Connections is the output of nmcli for several connections.
type Connections struct {
	dialect.Report
	Version     string        `json:"version,omitempty"` // 1.42.4
	Connections []*Connection `json:"connections"`
}

// Connection is one of them.
type Connection struct {
	Properties map[string]string `json:"properties"` // as printed; what is not set is often not printed
	Line       int               `json:"-"`          // 1-based, of its first property
}

// ID is the name by which an administrator knows it.
func (c *Connection) ID() string { return c.Properties["connection.id"] }

// UUID names it to nmcli.
func (c *Connection) UUID() string { return c.Properties["connection.uuid"] }

// Device is the interface that it is active on; empty: none.
func (c *Connection) Device() string { return c.Properties["GENERAL.DEVICES"] }

var (
	version  = dialect.Lazy(`^nmcli tool, version ([0-9][0-9.]*)`)
	property = dialect.Lazy(`^([A-Za-z0-9-]+\.[A-Za-z0-9_-]+(?:\[[0-9]+\])?):(.*)$`)
)

// Parse reads connections. Errors: dialect.ErrNotRecognised if there is neither
// a version nor a connection.
func Parse(text []byte) (*Connections, error) {
	c := &Connections{}
	var last *Connection
	for _, l := range dialect.Lines(text, &c.Report) {
		if m := version.FindStringSubmatch(l.Text); m != nil && !c.CutOff(l) {
			c.Version = m[1]
			continue
		}
		m := property.FindStringSubmatch(l.Text)
		if m == nil || c.CutOff(l) || last == nil && m[1] != "connection.id" {
			c.NotUnderstood(l)
			continue
		}
		if m[1] == "connection.id" {
			last = &Connection{Properties: map[string]string{}, Line: l.Number}
			c.Connections = append(c.Connections, last)
		}
		value := strings.TrimSpace(unescape.Replace(m[2]))
		if value == "--" { // not set: without -t
			value = ""
		}
		last.Properties[m[1]] = value
	}
	if c.Version == "" && c.Connections == nil {
		return nil, dialect.ErrNotRecognised
	}
	return c, nil
}

// unescape takes off what -t puts before a colon and a backslash.
var unescape = strings.NewReplacer(`\:`, ":", `\\`, `\`)
