package guard

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// mostConnections is how many connections a server holds: viewers of a few hundred pages, below the limit of descriptors
// that a login usually has.
const mostConnections = 500

// connections bounds those of a server. Where one more comes, that one is closed which has waited longest without asking
// for anything: slow or silent clients keep nobody out, and no answer is cut off.
type connections struct {
	most int

	mu   sync.Mutex
	next uint64            // counts what happens
	all  map[net.Conn]held // those that are open
}

// held is an open connection.
type held struct {
	answering bool   // a request of it is being answered
	since     uint64 // in the order of what happened
}

// Limit makes a server hold a bounded number of connections, so few that half of the files that the program may
// have open are left for folders and hosts; 0 files: not known.
func Limit(server *http.Server, files uint64) { limit(server, connectionsFor(files)) }

// connectionsFor is how many connections a limit of open files leaves room for.
func connectionsFor(files uint64) int {
	if files == 0 || files >= 2*mostConnections {
		return mostConnections
	}
	return max(1, int(files/2))
}

func limit(server *http.Server, most int) {
	c := &connections{most: most, all: map[net.Conn]held{}}
	server.ConnContext = func(ctx context.Context, conn net.Conn) context.Context { return context.WithValue(ctx, c, conn) }
	server.ConnState = c.note
	next := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(c).(net.Conn); ok {
			c.set(conn, true)
			defer c.set(conn, false)
		}
		next.ServeHTTP(w, r)
	})
}

// note takes the state of a connection.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		switch late := c.add(conn); late {
		case nil:
		case conn:
			conn.Close() // before anything of it is read
		default:
			go late.Close() // TLS says goodbye first, which may take seconds
		}
	case http.StateClosed, http.StateHijacked:
		c.mu.Lock()
		delete(c.all, conn)
		c.mu.Unlock()
	}
}

// add takes a new connection, and gives the one to be closed for it; nil: there is room.
func (c *connections) add(conn net.Conn) (late net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.all) >= c.most {
		late = conn
		since := c.next
		for other, h := range c.all {
			if !h.answering && h.since < since {
				late, since = other, h.since
			}
		}
		delete(c.all, late)
	}
	if late != conn {
		c.all[conn] = held{since: c.next}
		c.next++
	}
	return late
}

// set says whether a connection's request is being answered.
func (c *connections) set(conn net.Conn, answering bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, open := c.all[conn]; open {
		c.all[conn] = held{answering, c.next}
		c.next++
	}
}
