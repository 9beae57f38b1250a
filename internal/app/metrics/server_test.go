//go:build linux

package metrics

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seaworthy/internal/test/await"
)

// freeAddress is an address of loopback that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// started runs a server until the test ends, and waits until it answers at a path.
func started(t *testing.T, base, path, program string, args ...string) {
	t.Helper()
	var said bytes.Buffer
	c := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	c.Dir, c.Stdout, c.Stderr = t.TempDir(), &said, &said
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err := c.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	await.Until(t, program+" answers", func() bool {
		answer, err := http.Get(base + path)
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

// asked is the answer to an instant query, as values by the text of their labels.
func asked(t *testing.T, base, expr string) ([]any, error) {
	t.Helper()
	answer, err := http.Get(base + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	var got struct {
		Status string
		Error  string
		Data   struct{ Result []any }
	}
	err = json.Unmarshal(text, &got)
	if err == nil && got.Status != "success" {
		err = fmt.Errorf("%s: %s", expr, got.Error)
	}
	return got.Data.Result, err
}

// everySeries is how many series a source has.
func everySeries(t *testing.T) (n int) {
	t.Helper()
	for _, f := range familiesOf(t, full()) {
		n += len(f.Metric)
	}
	return n
}

// pushed sends metrics twice, and sees that a server has each series once.
func pushed(t *testing.T, base, path string) {
	t.Helper()
	to := RemoteWrite{URL: base + path, Labels: map[string]string{"job": "seaworthy", "zone": "dmz"}}
	err := to.Check()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for range 2 {
		done, err := to.Push(t.Context(), familiesOf(t, full()), now)
		if err != nil || done.Series != everySeries(t) {
			t.Fatalf("got %+v, %v", done, err)
		}
	}
	await.Until(t, "the server has all series", func() bool {
		got, err := asked(t, base, `{zone="dmz", job="seaworthy", __name__=~"seaworthy_.*"}`)
		return err == nil && len(got) == everySeries(t)
	})
	got, err := asked(t, base, `seaworthy_element_receive_bytes_total{host="vios1",element="ent5",kind="sea"} == 1000`)
	if err != nil || len(got) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}

// A Prometheus takes what is sent, scrapes OpenMetrics, and answers every expression of the dashboards.
func TestPrometheus(t *testing.T) {
	program := tool(t, "prometheus")
	var kinds []string
	exporter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		format := Accepted(r.Header)
		kinds = append(kinds, string(format))
		w.Header().Set("Content-Type", string(format))
		all, err := full().Families()
		if err == nil {
			err = Write(w, format, all)
		}
		if err != nil {
			t.Error(err)
		}
	}))
	defer exporter.Close()
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	scrape := "global: {scrape_interval: 1s}\nscrape_configs:\n- {job_name: scraped, static_configs: [{targets: ['" +
		exporter.Listener.Addr().String() + "']}]}\n"
	err := os.WriteFile(config, []byte(scrape), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	base := "http://" + address
	started(t, base, "/-/ready", program, "--config.file="+config, "--web.listen-address="+address, "--storage.tsdb.path="+
		filepath.Join(dir, "data"), "--web.enable-remote-write-receiver")
	pushed(t, base, "/api/v1/write")
	await.Until(t, "a scrape succeeds", func() bool {
		got, err := asked(t, base, `up{job="scraped"} == 1 and scrape_samples_scraped > 10`)
		return err == nil && len(got) == 1
	})
	if !strings.Contains(kinds[0], "openmetrics") {
		t.Errorf("Prometheus was answered in %s", kinds[0])
	}
	boards, err := Dashboards()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range boards {
		for _, p := range d.Panels {
			for _, q := range p.Queries {
				expr := strings.NewReplacer("$host", ".*", "$__rate_interval", "5m").Replace(q.Expr)
				got, err := asked(t, base, expr)
				if err != nil {
					t.Errorf("%s: %s: %v", d.Name, p.Title, err)
				}
				empty := strings.Contains(expr, "rate(") || strings.Contains(expr, "increase(") || strings.Contains(expr, "== 0") || strings.Contains(expr, "> 0")
				if len(got) == 0 && !empty {
					t.Errorf("%s: %s: %s gives nothing", d.Name, p.Title, expr)
				}
			}
		}
	}
}

func TestVictoriaMetrics(t *testing.T) {
	program := tool(t, "victoria-metrics")
	address := freeAddress(t)
	base := "http://" + address
	started(t, base, "/health", program, "-httpListenAddr="+address, "-storageDataPath="+t.TempDir(), "-search.latencyOffset=0s")
	pushed(t, base, "/api/v1/write")
}

// A server that refuses is told of, and how much it has.
func TestRefused(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer SECRET" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	_, err := RemoteWrite{URL: server.URL, Auth: "Bearer wrong"}.Push(t.Context(), familiesOf(t, full()), time.Now())
	if err == nil || !strings.Contains(err.Error(), "HTTP 401") || !strings.Contains(err.Error(), "0 series of") {
		t.Errorf("got %v", err)
	}
	_, err = RemoteWrite{URL: server.URL, Auth: "Bearer SECRET"}.Push(t.Context(), familiesOf(t, full()), time.Now())
	if err != nil {
		t.Error(err)
	}
	for _, name := range []string{"__name__", "a b", "", "1"} {
		err = RemoteWrite{URL: server.URL, Labels: map[string]string{name: "x"}}.Check()
		if err == nil {
			t.Errorf("label %q was taken", name)
		}
	}
}
