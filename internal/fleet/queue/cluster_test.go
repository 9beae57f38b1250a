package queue_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/fleet/queue"
	"seaworthy/internal/fleet/trust"
	"seaworthy/internal/test/await"
)

func newCert(t *testing.T) *trust.Hub {
	t.Helper()
	cert, err := trust.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

// What is no cluster is refused before anything is written.
func TestClusterRefused(t *testing.T) {
	cert := newCert(t)
	three := []string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}
	whole := queue.Cluster{Name: "c", Member: "m", Listen: three[0], Members: three, TLS: cert.Members(three)}
	for _, x := range []struct {
		change func(*queue.Cluster)
		want   string
	}{
		{func(c *queue.Cluster) { c.Name = "A cluster" }, "name"},
		{func(c *queue.Cluster) { c.Member = "" }, "name"},
		{func(c *queue.Cluster) { c.Members = three[:2] }, "at least 3"},
		{func(c *queue.Cluster) { c.Members = append([]string{"here"}, three...) }, "HOST:PORT"},
		{func(c *queue.Cluster) { c.Listen = "here" }, "HOST:PORT"},
		{func(c *queue.Cluster) { c.TLS = nil }, "certificate"},
		{func(c *queue.Cluster) { c.TLS = cert.Server() }, "ask each other for a certificate"},
		{func(c *queue.Cluster) {
			c.TLS = cert.Server()
			c.TLS.ClientAuth = tls.RequireAnyClientCert
		}, "verify each other's certificate"},
	} {
		c := whole
		x.change(&c)
		s, err := queue.Start(t.Context(), queue.Options{Dir: filepath.Join(t.TempDir(), "queue"), Cluster: &c})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("got %v, want %q", err, x.want)
		}
	}
}

// A member lets nobody join who shows no certificate of the members' CA, and says whom it lacks.
func TestMemberAlone(t *testing.T) {
	at := free(t, 4)
	s := &seat{Member: "m", Dir: t.TempDir(), Certificates: t.TempDir(), Listen: at[0], Members: at[1:]}
	cert, err := trust.Make(s.Certificates)
	if err != nil {
		t.Fatal(err)
	}
	ctx, done := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		server, err := s.start(ctx, nil)
		if err == nil {
			server.Close()
		}
		ended <- err
	}()
	// hello is the first thing that a member says to another one.
	hello := func(config *tls.Config) (string, error) {
		c, err := tls.Dial("tcp", at[1], config)
		if err != nil {
			return "", err
		}
		defer c.Close()
		return bufio.NewReader(c).ReadString(' ')
	}
	await.Until(t, "a member may join", func() bool {
		said, err := hello(cert.Members(at[1:]))
		return err == nil && said == "INFO "
	})
	zone := &trust.Token{Pin: cert.Pin, OwnCA: true, Hubs: at[1:]}
	for who, config := range map[string]*tls.Config{
		"who has another CA": {MinVersion: tls.VersionTLS13, InsecureSkipVerify: true, Certificates: newCert(t).Server().Certificates},
		"a zone":             zone.Client(),
	} {
		said, err := hello(config)
		if err == nil || said != "" {
			t.Errorf("%s may join: it was told %q, %v", who, said, err)
		}
	}
	done()
	err = <-ended
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "member m reaches 0 of 2 others") {
		t.Errorf("got %v", err)
	}
	// What it has begun is that of a member from now on.
	one := *s
	one.Members = at[1:2]
	server, err := one.start(t.Context(), nil)
	if err == nil {
		server.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "is that of a member of a cluster") {
		t.Errorf("alone with the files of a member: got %v", err)
	}
}

// The streams of a server alone are not given to a member of a cluster, which would remove them.
func TestAloneToMember(t *testing.T) {
	y := newSystem(t, 1)
	_, streams := y.inside(t, 0)
	err := streams.Prepare(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	y.stop(0)
	s := *y.seats[0]
	s.Members = free(t, 3)
	server, err := s.start(t.Context(), nil)
	if err == nil {
		server.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "is that of a server alone") {
		t.Errorf("got %v", err)
	}
}
