// Package nmcli reads NetworkManager's connections as nmcli connection show NAME
// prints them, with -t or without: "property:value" lines, one connection after the
// other, each of which begins with connection.id. The version of nmcli may come before them.
package nmcli

import (
	"strings"

	"seaworthy/internal/parse"
)

// Connections is the output of nmcli for several connections.
type Connections struct {
	parse.Report
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
	version  = parse.Lazy(`^nmcli tool, version ([0-9][0-9.]*)`)
	property = parse.Lazy(`^([A-Za-z0-9-]+\.[A-Za-z0-9_-]+(?:\[[0-9]+\])?):(.*)$`)
)

// Parse reads connections. Errors: parse.ErrNotRecognised if there is neither
// a version nor a connection.
func Parse(text []byte) (*Connections, error) {
	c := &Connections{}
	c.ReadWhole(text, func(l parse.Line) bool {
		if version.Scan(l.Text, &c.Version) {
			return true
		}
		m := property.FindStringSubmatch(l.Text)
		switch {
		case m == nil:
			return false
		case m[1] == "connection.id":
			c.Connections = append(c.Connections, &Connection{Properties: map[string]string{}, Line: l.Number})
		case c.Connections == nil:
			return false
		}
		value := strings.TrimSpace(unescape.Replace(m[2]))
		if value == "--" { // not set: without -t
			value = ""
		}
		c.Connections[len(c.Connections)-1].Properties[m[1]] = value
		return true
	})
	return parse.Recognised(c, c.Version != "" || c.Connections != nil)
}

// unescape takes off what -t puts before a colon and a backslash.
var unescape = strings.NewReplacer(`\:`, ":", `\\`, `\`)
