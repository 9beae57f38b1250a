package errpt

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seaworthy/dialect"
	"seaworthy/dialect/codectest"
)

var codec = codectest.Codec[Report]{
	Parse: Parse, Format: Format,
	Report: func(r *Report) *dialect.Report { return &r.Report },
}

func TestCorpus(t *testing.T) { codec.Corpus(t, "errpt/*.txt") }

const short = `IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION
59224136   1103142525 P H ent2           ETHERNET DOWN
A6DF45AA   1101090025 I O RMCdaemon      The daemon is started.
2BFA76F6   1031235925 T S SYSPROC        SYSTEM SHUTDOWN BY USER
`

const long = `---------------------------------------------------------------------------
LABEL:          GOENT_LINK_DOWN
IDENTIFIER:     59224136

Date/Time:       Mon Nov  3 14:25:07 2025
Sequence Number: 812
Machine Id:      00C8D2E44C00
Node Id:         lpar1
Class:           H
Type:            TEMP
WPAR:            Global
Resource Name:   ent2

Description
ETHERNET DOWN

Detail Data
FILE NAME
line: 120 file: goent_intr.c
---------------------------------------------------------------------------
LABEL:          REBOOT_ID
IDENTIFIER:     2BFA76F6

Date/Time:       Fri Oct 31 23:59:01 2025
Class:           S
Type:            TEMP
Resource Name:   SYSPROC
`

func TestParse(t *testing.T) {
	r := codec.RoundTrip(t, []byte(short))
	if len(r.Entries) != 3 || len(r.Unknown) > 0 {
		t.Fatalf("got %d entries, unknown %v", len(r.Entries), r.Unknown)
	}
	got, ok := r.Entries[0].Time()
	if want := time.Date(2025, 11, 3, 14, 25, 0, 0, time.UTC); !ok || !got.Equal(want) {
		t.Errorf("time: got %v %v, want %v", got, ok, want)
	}
	if n := r.Network(); len(n) != 1 || n[0].Resource != "ent2" {
		t.Errorf("network: got %+v, want ent2 alone", n)
	}
	r = codec.RoundTrip(t, []byte(long))
	if len(r.Entries) != 2 || !r.Long {
		t.Fatalf("-a: got %d entries, long %v", len(r.Entries), r.Long)
	}
	e := r.Entries[0]
	want := []string{"GOENT_LINK_DOWN", "59224136", "H", "TEMP", "ent2"}
	if d := cmp.Diff(want, []string{e.Label, e.ID, e.Class, e.Type, e.Resource}); d != "" {
		t.Errorf("-a differs (-want +got):\n%s", d)
	}
	if got, ok := e.Time(); !ok || got.Second() != 7 {
		t.Errorf("-a time: got %v %v", got, ok)
	}
	if n := r.Network(); len(n) != 1 {
		t.Errorf("-a network: got %d, want 1", len(n))
	}
}

func TestNoErrorsIsAnAnswer(t *testing.T) {
	r := codec.RoundTrip(t, nil)
	if len(r.Entries) != 0 || len(r.Warnings) != 0 {
		t.Errorf("got %+v", r)
	}
	r = codec.RoundTrip(t, []byte("ksh: errpt:  not found.\n"))
	if len(r.Warnings) != 1 {
		t.Errorf("a message gave warnings %v, want one", r.Warnings)
	}
}

func TestFormatFromScratch(t *testing.T) {
	r := New(
		&Entry{ID: "59224136", Stamp: "1103142525", Type: Permanent, Class: Hardware, Resource: "ent2", Description: "ETHERNET DOWN"},
		&Entry{ID: "A6DF45AA", Stamp: "1101090025", Type: Information, Class: Operator, Resource: "RMCdaemon", Description: "The daemon is started."},
		&Entry{ID: "2BFA76F6", Stamp: "1031235925", Type: Temporary, Class: Software, Resource: "SYSPROC", Description: "SYSTEM SHUTDOWN BY USER"},
	)
	if d := cmp.Diff(short, string(Format(r))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := Format(New()); len(got) != 0 {
		t.Errorf("no errors: got %q, want nothing", got)
	}
}

func TestEveryValueIsPrinted(t *testing.T) {
	r := codec.RoundTrip(t, []byte(short))
	e := r.Entries[0]
	e.ID, e.Stamp, e.Type, e.Class, e.Resource, e.Description = "8650BE3F", "1104000026", "I", "S", "ent33", "Another text"
	got := codec.RoundTrip(t, Format(r)).Entries[0]
	if got.ID != e.ID || got.Stamp != e.Stamp || got.Type != e.Type || got.Class != e.Class || got.Resource != e.Resource || got.Description != e.Description {
		t.Errorf("got %+v, want %+v", got, e)
	}
	codec.EveryValue(t, []byte(long), ".Long") // a form
}

func TestDamaged(t *testing.T) {
	codec.Damaged(t, []byte(short))
	for cut := range len(long) {
		codec.Survives(t, []byte(long[:cut]))
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"nothing of the kind\n", "8650BE3F\n"} {
		if r, err := Parse([]byte(text)); !errors.Is(err, dialect.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, r, err, dialect.ErrNotRecognised)
		}
	}
}

func FuzzParse(f *testing.F) { codec.Fuzz(f, short, long) }
