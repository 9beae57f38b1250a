package knowledge

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What is built in keeps its promises: the program takes that for granted.
func TestBuiltInIsSound(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.check()...); err != nil {
		t.Error(err)
	}
}

// check holds the whole catalogue against its promises.
func (c *Catalog) check() []error {
	var errs []error
	for layer, list := range c.attributes {
		for i, a := range list {
			bad := func(format string, args ...any) {
				errs = append(errs, fmt.Errorf("attributes: %s %s: %s", layer, a.Name, fmt.Sprintf(format, args...)))
			}
			if i > 0 && list[i-1].Name == a.Name {
				bad("is listed twice")
			}
			c.checkAttribute(a, bad)
		}
	}
	return append(append(errs, checkRules(c.rules, c)...), c.checkCosts()...)
}

var types = []string{"int", "bool", "enum", "string", "list", "device", "address", "mac"}

func (c *Catalog) checkAttribute(a Attribute, bad func(string, ...any)) {
	if a.Name == "" || a.Label == "" || a.Effective == "" {
		bad("name, label and effective are needed")
	}
	if !slices.Contains(types, a.Type) {
		bad("type %q is not one of %s", a.Type, strings.Join(types, ", "))
	}
	if !a.Class.Valid() {
		bad("class %q is not one of O0 to O6", a.Class)
	}
	if !slices.Contains(confidences, a.Confidence) {
		bad("confidence %q is not one of %s", a.Confidence, strings.Join(confidences, ", "))
	}
	if len(a.Read) == 0 || len(a.Set) == 0 && !a.ReadOnly {
		bad("commands to read and to set are needed")
	}
	if len(a.Sources) == 0 {
		bad("no source")
	}
	for _, s := range a.Sources {
		if _, ok := c.Source(s); !ok {
			bad("source %q is not in sources.yaml", s)
		}
	}
	if a.Min != nil && a.Max != nil && *a.Min > *a.Max {
		bad("min %d is above max %d", *a.Min, *a.Max)
	}
	for _, d := range append(slices.Clone(a.Defaults), a.Implied...) {
		for _, level := range []string{d.From, d.Below} {
			if _, err := ParseLevel(level); level != "" && err != nil {
				bad("%v", err)
			}
		}
		if err := a.Accepts(d.Value); d.Value != "" && err != nil {
			bad("default: %v", err)
		}
	}
}

// checkCosts holds costs against what a regression needs: every figure above zero.
func (c *Catalog) checkCosts() []error {
	var errs []error
	for name, x := range c.costs {
		figures := map[string]float64{
			"clock_mhz": x.ClockMHz, "stream.byte": x.Stream.Byte, "stream.sent_frame": x.Stream.SentFrame,
			"stream.received_frame": x.Stream.ReceivedFrame, "contention": x.Contention, "coherency": x.Coherency,
			"round_trip_ms": x.RoundTrip, "factor": x.Factor - 1,
			"session.ms": x.Session.Time, "session.contention": x.Session.Contention, "session.coherency": x.Session.Coherency,
			"session.waking": x.Session.Waking, "span.sessions": x.Span.Sessions[1], "span.message": x.Span.Message[1],
			"span.frame": x.Span.Frame[1], "span.window": x.Span.Window[1],
			"span.streams": x.Span.Streams[1], "span.line_gbps": x.Span.Line[1],
		}
		for _, role := range []string{"sender", "bridge", "receiver"} {
			h := x.Hosts[role]
			figures[role+".byte"], figures[role+".frame"] = h.Byte, h.Frame
			figures[role+".window"], figures[role+".waking_cores"] = h.Window, h.Waking
		}
		for what, v := range figures {
			if !(v > 0) {
				errs = append(errs, fmt.Errorf("costs: %s: %s is %v, must be above its least", name, what, v))
			}
		}
		if len(x.Sources) == 0 {
			errs = append(errs, fmt.Errorf("costs: %s: no source", name))
		}
		for _, s := range x.Sources {
			if _, ok := c.Source(s); !ok {
				errs = append(errs, fmt.Errorf("costs: %s: source %q is not in sources.yaml", name, s))
			}
		}
	}
	return errs
}
