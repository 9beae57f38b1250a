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
	head, next, item := command+": ", "\n\t", "\t"
	if e.Method != "" {
		head, next, item = fmt.Sprintf("Method error (%s):\n\t", e.Method), "\n\t         ", "     "
	}
	text := head + e.Code + " " + strings.ReplaceAll(e.Text, "\n", next) + "\n"
	for _, i := range e.Items {
		text += item + i + "\n"
	}
	if e.Reason != "" {
		text += "\t" + e.Reason + "\n"
	}
	return text
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
func NotValid(method string, items ...string) *Error { return attributes(method, notValid, items) }

// What attributes are refused for.
const (
	unknown  = "0514-017"
	readOnly = "0514-026"
	notValid = "0514-018"
)

func attributes(method, code string, items []string) *Error {
	texts := map[string]string{unknown: "no such attributes on this device:",
		readOnly: "attributes that nobody can set:", notValid: "values out of range, or at odds with others:"}
	return &Error{Method: method, Code: code, Items: items, Text: texts[code]}
}
