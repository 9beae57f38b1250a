package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"

	"seaworthy/internal/cli"
)

var linked = regexp.MustCompile(`href="(/[^"#]*)`)

// served looks at every page of a folder.
func (h *hostile) served(dir string) {
	h.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	exit := make(chan int)
	go func() {
		exit <- cli.Main(ctx, []string{"serve", dir, "--listen", "127.0.0.1:0"}, strings.NewReader(""), w, io.Discard)
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		h.t.Fatal(err)
	}
	h.ran["serve"] = true
	base := strings.TrimSuffix(strings.TrimSpace(line), "/")
	todo, seen := []string{"/"}, map[string]bool{"": true}
	for len(todo) > 0 && len(seen) < 100 {
		path := todo[0]
		todo = todo[1:]
		if seen[path] || strings.HasPrefix(path, "/static/") {
			continue
		}
		resp, err := http.Get(base + path)
		if err != nil {
			h.t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			h.t.Fatal(err)
		}
		if bad := dangerous(text); bad != "" {
			h.t.Errorf("serve %s has %q", path, bad)
		}
		h.spread += bytes.Count(text, []byte("alert(1)"))
		if bytes.Contains(text, []byte("load delay:1s")) {
			todo = append(todo, path) // not whole yet
			continue
		}
		seen[path] = true
		for _, m := range linked.FindAllSubmatch(text, -1) {
			todo = append(todo, html.UnescapeString(string(m[1])))
		}
	}
	stop()
	if got := <-exit; got != 0 || len(seen) < 30 {
		h.t.Errorf("serve: exit status %d after %d pages", got, len(seen))
	}
}
