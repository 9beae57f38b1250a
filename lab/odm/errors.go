package odm

import (
	"fmt"
	"strings"
)

// Error is a refusal with the number AIX gives it, in words of our own. Method is the change,
// configure or unconfigure method that refused; empty if the command itself
// did.
type Error struct {
	Method string   // /usr/lib/methods/chgent
	Code   string   // 0514-062
	Text   string   // may hold line breaks
	Items  []string // the attributes or devices it is about, one a line
	Reason string   // what this lab adds: the kernel's own words; may be empty
}

func (e *Error) Error() string {
	s := e.Code + " " + strings.ReplaceAll(e.Text, "\n", " ")
	if len(e.Items) > 0 {
		s += " " + strings.Join(e.Items, ", ")
	}
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	return s
}

// Message is the text a command prints on stderr.
func (e *Error) Message(command string) string {
	var b strings.Builder
	if e.Method == "" {
		fmt.Fprintf(&b, "%s: %s %s\n", command, e.Code, strings.ReplaceAll(e.Text, "\n", "\n\t"))
		for _, i := range e.Items {
			fmt.Fprintf(&b, "\t%s\n", i)
		}
	} else {
		fmt.Fprintf(&b, "Method error (%s):\n", e.Method)
		fmt.Fprintf(&b, "\t%s %s\n", e.Code, strings.ReplaceAll(e.Text, "\n", "\n\t         "))
		for _, i := range e.Items {
			fmt.Fprintf(&b, "     %s\n", i)
		}
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, "\t%s\n", e.Reason)
	}
	return b.String()
}

// NotFound says that a device is not in the database.
func NotFound(name string) *Error {
	return &Error{Code: "0514-519", Text: "no such customized device:", Items: []string{name}}
}

// NoAttribute says that a device has no such attribute (lsattr).
func NoAttribute(name string) *Error {
	return &Error{Code: "0514-528", Text: fmt.Sprintf("the device has no attribute %q", name)}
}

// Busy says that a device is in use.
func Busy(method string) *Error {
	return &Error{Method: method, Code: "0514-062", Text: "the device is busy: something holds it open"}
}

// NotValid says that values are outside what their attributes allow.
func NotValid(method string, items ...string) *Error {
	return &Error{Method: method, Code: "0514-018", Text: "values out of range, or at odds with others:", Items: items}
}

// Unknown says that a device has no such attributes (chdev).
func Unknown(method string, items ...string) *Error {
	return &Error{Method: method, Code: "0514-017", Text: "no such attributes on this device:", Items: items}
}

// ReadOnly says that an attribute cannot be set by the user.
func ReadOnly(method string, items ...string) *Error {
	return &Error{Method: method, Code: "0514-026", Text: "attributes that nobody can set:", Items: items}
}
