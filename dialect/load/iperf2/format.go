package iperf2

import (
	"fmt"
	"strconv"
	"strings"

	"seaworthy/dialect"
)

// Rule is the line around the settings.
var Rule = strings.Repeat("-", 60)

// Heading stands above the first interval.
const Heading = "[ ID] Interval       Transfer     Bandwidth"

// Format prints an output. Lines that Parse made come out as they were, others
// in the layout of iperf 2.0.
func Format(o *Output) []byte {
	t := dialect.Text{CRLF: o.CRLF, NoFinal: o.NoFinal}
	for _, l := range o.Rows {
		t.Lines = append(t.Lines, formatLine(l))
	}
	if len(t.Lines) == 0 {
		return nil
	}
	return t.Join()
}

func formatLine(l Line) string {
	switch {
	case l.Setup != nil:
		return l.Setup.String()
	case l.Window != nil:
		return l.Window.String()
	case l.Connection != nil:
		return l.Connection.String()
	case l.Interval != nil:
		return l.Interval.String()
	}
	return l.Text
}

func (s *Setup) String() string {
	port := strconv.Itoa(s.Port)
	switch {
	case s.gaps != nil && s.Server:
		return s.gaps.Join(port, s.Rest)
	case s.gaps != nil:
		return s.gaps.Join(s.Peer, port, s.Rest)
	case s.Server:
		return "Server listening on TCP port " + port + s.Rest
	}
	return "Client connecting to " + s.Peer + ", TCP port " + port + s.Rest
}

func (w *Window) String() string {
	if w.gaps != nil {
		values := []string{w.Size.Number.String(), w.Size.Unit}
		if w.Requested != nil {
			values = append(values, w.Requested.Number.String(), w.Requested.Unit)
		}
		return w.gaps.Join(values...)
	}
	s := "TCP window size: " + pad(w.Size)
	switch {
	case w.Requested != nil:
		s += " (WARNING: requested " + pad(*w.Requested) + ")"
	case w.Default:
		s += " (default)"
	}
	return s
}

func (c *Connection) String() string {
	local, remote := strconv.Itoa(c.LocalPort), strconv.Itoa(c.RemotePort)
	if c.gaps != nil {
		return c.gaps.Join(strconv.Itoa(c.ID), c.Local, local, c.Remote, remote, c.Rest)
	}
	return fmt.Sprintf("[%3d] local %s port %s connected with %s port %s%s", c.ID, c.Local, local, c.Remote, remote, c.Rest)
}

func (i *Interval) String() string {
	id := "SUM"
	if !i.Sum {
		id = strconv.Itoa(i.ID)
	}
	if i.gaps != nil {
		return i.gaps.Join(id, i.Start.String(), i.End.String(), i.Transfer.Number.String(), i.Transfer.Unit,
			i.Bandwidth.Number.String(), i.Bandwidth.Unit, i.Rest)
	}
	return fmt.Sprintf("[%3s] %4s-%4s sec  %s  %s%s", id, i.Start, i.End, pad(i.Transfer), pad(i.Bandwidth), i.Rest)
}

// pad prints an amount with its number at least four wide.
func pad(a Amount) string { return fmt.Sprintf("%4s %s", a.Number, a.Unit) }
