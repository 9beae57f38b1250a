package linewise

import (
	"strings"

	"seaworthy/internal/parse"
)

// ConnectionList is the output of nmcli connection show NAME for several connections, with -t or without: lines of
// "property:value", one connection after the other. The version of nmcli may come before them.
type ConnectionList struct {
	parse.Report
	Version     string        `json:"version,omitempty"` // 1.42.4
	Connections []*Connection `json:"connections"`
}

// Connection is a connection of NetworkManager.
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
	nmcliVersion  = parse.Lazy(`^nmcli tool, version ([0-9][0-9.]*)`)
	nmcliProperty = parse.Lazy(`^([A-Za-z0-9-]+\.[A-Za-z0-9_-]+(?:\[[0-9]+\])?):(.*)$`)
)

var nmcliOutput = &output[ConnectionList]{
	name: "nmcli",
	rows: []line[ConnectionList]{
		func(c *ConnectionList, l parse.Line) bool { return nmcliVersion.Scan(l.Text, &c.Version) },
		(*ConnectionList).readProperty,
	},
	ended: true,
}

// ParseNmcli reads connections; parse.ErrNotRecognised if there is neither a version nor a connection.
func ParseNmcli(text []byte) (*ConnectionList, error) { return nmcliOutput.parse(text) }

// readProperty reads a property of the connection that was begun last; connection.id begins another.
func (c *ConnectionList) readProperty(l parse.Line) bool {
	m := nmcliProperty.FindStringSubmatch(l.Text)
	switch {
	case m == nil:
		return false
	case m[1] == "connection.id":
		c.Connections = append(c.Connections, &Connection{Properties: map[string]string{}, Line: l.Number})
	case c.Connections == nil:
		return false
	}
	value := strings.TrimSpace(nmcliUnescape.Replace(m[2]))
	if value == "--" { // not set: without -t
		value = ""
	}
	c.Connections[len(c.Connections)-1].Properties[m[1]] = value
	return true
}

// nmcliUnescape takes off what -t puts before a colon and a backslash.
var nmcliUnescape = strings.NewReplacer(`\:`, ":", `\\`, `\`)
