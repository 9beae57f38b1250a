package queue

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Cluster makes a server one of several that hold the same streams: they go on while more than
// half of them are there.
type Cluster struct {
	Name    string      // the same of all members
	Member  string      // name of this server: no other member's, and the same after a restart
	Listen  string      // HOST:PORT for the other members
	Members []string    // HOST:PORT at which all members are reached by each other, this one too
	TLS     *tls.Config // between members, at both ends: each must verify the other's certificate
}

const (
	// replicas is how many members hold each stream; it takes messages while two of them are there.
	replicas = 3
	// quorumWait is how long a member waits for others at its start.
	quorumWait = 2 * time.Minute
)

var clusterName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// check reports what a cluster lacks.
func (c *Cluster) check() error {
	for _, name := range []string{c.Name, c.Member} {
		if !clusterName.MatchString(name) {
			return fmt.Errorf("cluster: name %.40q: expected up to 32 lower-case letters, digits and -", name)
		}
	}
	if len(c.Members) < replicas {
		return fmt.Errorf("cluster %s: %d members: expected at least %d", c.Name, len(c.Members), replicas)
	}
	for _, at := range c.Members {
		_, _, err := address(at)
		if err != nil {
			return fmt.Errorf("cluster %s: member %q: %w", c.Name, at, err)
		}
	}
	if c.TLS == nil || c.TLS.ClientAuth < tls.RequireAnyClientCert {
		return fmt.Errorf("cluster %s: members must ask each other for a certificate", c.Name)
	}
	if c.TLS.ClientAuth < tls.VerifyClientCertIfGiven && c.TLS.VerifyConnection == nil {
		return fmt.Errorf("cluster %s: members must verify each other's certificate", c.Name)
	}
	return nil
}

// join makes a server one of a cluster.
func (c *Cluster) join(config *server.Options) error {
	var err error
	config.ServerName = c.Member
	config.Cluster.Name = c.Name
	config.Cluster.Host, config.Cluster.Port, err = address(c.Listen)
	if err != nil {
		return fmt.Errorf("cluster %s: listening for members: %w", c.Name, err)
	}
	config.Cluster.TLSConfig = c.TLS
	config.Cluster.TLSTimeout = loginWait
	config.Cluster.NoAdvertise = true // who is a member is said by the options alone
	for _, at := range c.Members {
		config.Routes = append(config.Routes, &url.URL{Scheme: "nats-route", Host: at})
	}
	return nil
}

// checkStore refuses files that the server would take for remains and remove: those of a server
// that was alone, for a member of a cluster, and the reverse.
func checkStore(dir string, clustered bool) error {
	streams, err := filepath.Glob(filepath.Join(dir, server.JetStreamStoreDir, "$G", "streams", "*"))
	if err != nil {
		return fmt.Errorf("fleet queue: %w", err)
	}
	_, err = os.Stat(filepath.Join(dir, server.JetStreamStoreDir, server.DEFAULT_SYSTEM_ACCOUNT, "_js_", "_meta_"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("fleet queue: %w", err)
	}
	member := err == nil
	switch {
	case clustered && !member && len(streams) > 0:
		return fmt.Errorf("fleet queue: %s is that of a server alone: a member of a cluster needs an empty folder", dir)
	case !clustered && member:
		return fmt.Errorf("fleet queue: %s is that of a member of a cluster: a server alone needs another folder", dir)
	}
	return nil
}
