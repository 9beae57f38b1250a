package remote_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"seaworthy/internal/remote"
	"seaworthy/internal/remote/local"
)

// A log shows the command with host and status, and nothing of what went into
// it or came out.
func TestLogged(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(before)

	h := remote.Logged(local.New("lpar1"))
	line := "read key; echo got $key; exit 3"
	r, err := h.Run(t.Context(), remote.Command{Line: line, Stdin: strings.NewReader("s3cret\n")})
	if err != nil || r.Exit != 3 || string(r.Stdout) != "got s3cret\n" {
		t.Fatalf("got %+v, %v", r, err)
	}
	if text := log.String(); !strings.Contains(text, `host=lpar1 line="`+line+`"`) || !strings.Contains(text, "exit=3") || strings.Contains(text, "s3cret") {
		t.Errorf("logged %s", text)
	}
}
