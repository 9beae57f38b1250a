package linewise

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/parse"
	"seaworthy/internal/test/codectest"
)

var errptCodec = codectest.Codec[ErrorReport]{
	Parse:  ParseErrpt,
	Report: func(r *ErrorReport) *parse.Report { return &r.Report },
}

const errptShort = `IDENTIFIER TIMESTAMP  T C RESOURCE_NAME  DESCRIPTION
59224136   1103142525 P H ent2           ETHERNET DOWN
A6DF45AA   1101090025 I O RMCdaemon      The daemon is started.
2BFA76F6   1031235925 T S SYSPROC        SYSTEM SHUTDOWN BY USER
`

const errptLong = `---------------------------------------------------------------------------
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

func TestParseErrpt(t *testing.T) {
	r := errptCodec.Read(t, errptShort)
	if len(r.Entries) != 3 || len(r.Unknown) > 0 {
		t.Fatalf("got %d entries, unknown %v", len(r.Entries), r.Unknown)
	}
	r = errptCodec.Read(t, errptLong)
	if len(r.Entries) != 2 || len(r.Unknown) > 0 {
		t.Fatalf("-a: got %d entries, unknown %v", len(r.Entries), r.Unknown)
	}
	e := r.Entries[0]
	want := []string{"GOENT_LINK_DOWN", "59224136", "H", "TEMP", "ent2", "ETHERNET DOWN"}
	if d := cmp.Diff(want, []string{e.Label, e.ID, e.Class, e.Type, e.Resource, e.Description}); d != "" {
		t.Errorf("-a differs (-want +got):\n%s", d)
	}
	if e.Stamp != "Mon Nov  3 14:25:07 2025" || len(e.Details) == 0 {
		t.Errorf("-a: got stamp %q, details %v", e.Stamp, e.Details)
	}
}

func TestErrptNoErrorsIsAnAnswer(t *testing.T) {
	r := errptCodec.Read(t, "")
	if len(r.Entries) != 0 || len(r.Warnings) != 0 {
		t.Errorf("got %+v", r)
	}
	r = errptCodec.Read(t, "ksh: errpt:  not found.\n")
	if len(r.Warnings) != 1 {
		t.Errorf("a message gave warnings %v, want one", r.Warnings)
	}
}

func TestErrptRefused(t *testing.T) {
	for _, text := range []string{"nothing of the kind\n", "8650BE3F\n"} {
		if r, err := ParseErrpt([]byte(text)); !errors.Is(err, parse.ErrNotRecognised) {
			t.Errorf("%q: got %+v, %v, want %v", text, r, err, parse.ErrNotRecognised)
		}
	}
}
