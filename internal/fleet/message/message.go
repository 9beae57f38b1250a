package message

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Bounds of messages, in bytes.
const (
	MaxMessage = 1 << 20   // of any message
	MaxChunk   = 256 << 10 // of a part of a pack
	MaxInline  = 128 << 10 // of a pack that travels with its result
	MaxPack    = 64 << 20  // of a packed snapshot
	MaxReason  = 500       // of a reason
)

// Job asks a zone to read one host.
type Job struct {
	ID    string    `json:"id"`
	Sweep string    `json:"sweep"` // for which it was made first
	Host  string    `json:"host"`
	Made  time.Time `json:"made"`
	Until time.Time `json:"until"` // nobody waits for it after that
}

// Result says what became of a job.
type Result struct {
	Job       string    `json:"job"`
	Host      string    `json:"host"`
	Collector string    `json:"collector"`
	Began     time.Time `json:"began"`
	Ended     time.Time `json:"ended"`
	Error     string    `json:"error,omitempty"` // why the host was not read, or not to its end
	Pack      *Pack     `json:"pack,omitempty"`  // nil: nothing was read
}

// Host is one host of a zone as the hub knows it. Addresses, users and jump hosts stay
// in the zone.
type Host struct {
	Name     string            `json:"name"`
	Platform string            `json:"platform,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	Groups   []string          `json:"groups,omitempty"`
}

// LeaseRequest asks for the lease of a zone, or renews it: one collector alone reads its hosts.
type LeaseRequest struct {
	Collector string `json:"collector"` // the same after a restart
	Session   string `json:"session"`   // of one process
	Version   string `json:"version,omitempty"`
	Held      int    `json:"held"`    // jobs not ended
	Reading   int    `json:"reading"` // hosts being read
	Spooled   int    `json:"spooled"` // results not sent
	Release   bool   `json:"release,omitempty"`
	Again     bool   `json:"again,omitempty"` // jobs were lost on their way: they are sent again
	// Hosts are those of the jobs not ended, where the answer before asked for them.
	Hosts []string `json:"hosts"`
}

// Lease answers a LeaseRequest.
type Lease struct {
	Granted bool          `json:"granted"`
	For     time.Duration `json:"for"`              // from when it was asked for
	Holder  string        `json:"holder,omitempty"` // who has it instead
	// Ask has the collector ask at once for the jobs that were taken back: those of Withdrawn.
	Ask       bool     `json:"ask,omitempty"`
	Withdrawn []string `json:"withdrawn,omitempty"` // hosts that no sweep waits for any more
	Error     string   `json:"error,omitempty"`
}

// HostsAnswer says what the hub took of a list of hosts.
type HostsAnswer struct {
	Taken   int      `json:"taken"`
	Refused []string `json:"refused,omitempty"` // why some were not, a line each, the first few
	Error   string   `json:"error,omitempty"`
}

var zoneName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// CheckZone reports whether a text may name a zone.
func CheckZone(name string) error {
	if !zoneName.MatchString(name) {
		return fmt.Errorf("zone %.40q: expected up to 32 lower-case letters, digits and -", name)
	}
	return nil
}

// The subjects of a zone.
const (
	prefixJob    = "fleet.job."
	prefixResult = "fleet.result."
	prefixChunk  = "fleet.chunk."
	prefixHosts  = "fleet.hosts."
	prefixLease  = "fleet.lease."
)

// JobSubject is that of the one job that a host can have; JobsSubject is that of all of a zone.
func JobSubject(zone, host string) string { return prefixJob + zone + "." + Token(host) }

// JobsSubject is that of all jobs of a zone.
func JobsSubject(zone string) string { return prefixJob + zone + ".*" }

// ResultSubject is that of a zone's results.
func ResultSubject(zone string) string { return prefixResult + zone }

// ChunkSubject is that of a chunk by its digest; "*" for all.
func ChunkSubject(zone, digest string) string { return prefixChunk + zone + "." + digest }

// HostsSubject is that of a zone's list of hosts.
func HostsSubject(zone string) string { return prefixHosts + zone }

// LeaseSubject is that of a zone's lease.
func LeaseSubject(zone string) string { return prefixLease + zone }

// ZoneOf is the last word of a subject: of all but jobs and chunks, the zone.
func ZoneOf(subject string) string {
	for i := len(subject) - 1; i >= 0; i-- {
		if subject[i] == '.' {
			return subject[i+1:]
		}
	}
	return ""
}

// ZoneOfSent is the zone of the subject of a result or a chunk.
func ZoneOfSent(subject string) string {
	zone, chunk := strings.CutPrefix(subject, prefixChunk)
	if !chunk {
		return ZoneOf(subject)
	}
	zone, _, _ = strings.Cut(zone, ".")
	return zone
}

// IsChunk reports whether a subject is that of a chunk.
func IsChunk(subject string) bool { return strings.HasPrefix(subject, prefixChunk) }

// Inbox begins the subjects on which a zone, or another user, gets answers: nobody else may listen there.
func Inbox(user string) string { return "_INBOX_" + user }

// Token makes one word of a subject of any name.
func Token(name string) string { return base64.RawURLEncoding.EncodeToString([]byte(name)) }

// Name is the name of a Token.
func Name(token string) (string, error) {
	name, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return "", fmt.Errorf("no host's token: %w", err)
	}
	return string(name), nil
}
