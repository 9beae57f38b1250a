package sweeps

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"seaworthy/internal/base/fileio"
	"seaworthy/internal/collect"
	"seaworthy/internal/collect/redact"
	"seaworthy/internal/fleet/message"
	"seaworthy/internal/fleet/zone"
)

// keyName is the file of a spool that holds the key of pseudonyms. It never leaves the zone.
const keyName = "redact.key"

// redacted reads hosts as reader does, and gives nothing away: names, addresses and serial
// numbers are pseudonyms by a key that stays in the zone, the same in every sweep.
type redacted struct {
	reader zone.Reader
	key    redact.Key

	mu    sync.Mutex
	of    []zone.Host // as the reader listed them
	list  []zone.Host
	names map[string]string // by pseudonym
	knows *redact.Redactor  // all names of the list
}

// newRedacted reads the key of a spool, and makes it where it is missing.
func newRedacted(r zone.Reader, spool string) (*redacted, error) {
	_, err := fileio.MkdirAll(spool)
	if err != nil {
		return nil, fmt.Errorf("spool %s: %w", spool, err)
	}
	key, err := redact.LoadKey(filepath.Join(spool, keyName), filepath.Join(spool, "results"))
	if err != nil {
		return nil, err
	}
	return &redacted{reader: r, key: key}, nil
}

// Hosts lists the hosts by their pseudonyms.
func (r *redacted) Hosts(ctx context.Context) ([]zone.Host, error) {
	all, err := r.reader.Hosts(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list != nil && len(all) == len(r.of) && (len(all) == 0 || &all[0] == &r.of[0]) { // the list that it was
		return r.list, nil
	}
	knows := redact.New(r.key)
	names := make(map[string]string, len(all))
	list := make([]zone.Host, 0, len(all))
	for _, h := range all {
		knows.LearnName(h.Name)
		knows.LearnName(h.Jump)
		hidden := r.hide(h)
		other, twice := names[hidden.Name]
		if twice {
			return nil, fmt.Errorf("%s and %s have the same pseudonym: name one of them otherwise in the hosts file", other, h.Name)
		}
		names[hidden.Name] = h.Name
		list = append(list, hidden)
	}
	r.of, r.list = all, list
	r.names, r.knows = names, knows
	return list, nil
}

// openLabels are those that seaworthy reads: their keys say nothing of a site, their values are hidden.
var openLabels = map[string]bool{"system": true, "pair": true, "role": true}

// hide is a host as the hub may know it.
func (r *redacted) hide(h zone.Host) zone.Host {
	out := zone.Host{Jump: h.Jump, Host: message.Host{Name: r.key.Name(h.Name), Platform: h.Platform}}
	for key, value := range h.Labels {
		if out.Labels == nil {
			out.Labels = map[string]string{}
		}
		if !openLabels[key] {
			key = r.key.Name(key)
		}
		out.Labels[key] = r.key.Name(value)
	}
	for _, g := range h.Groups {
		out.Groups = append(out.Groups, r.key.Name(g))
	}
	return out
}

// Read reads a host by its pseudonym.
func (r *redacted) Read(ctx context.Context, sweep, host string) (map[string][]byte, error) {
	r.mu.Lock()
	name, known := r.names[host]
	knows := r.knows
	r.mu.Unlock()
	if !known {
		return nil, fmt.Errorf("%s: the zone's list of hosts has it no more", host)
	}
	by := knows.Clone() // nobody changes what it is made of
	files, why := r.reader.Read(ctx, sweep, name)
	var copied map[string][]byte
	if len(files) > 0 {
		s, err := collect.OpenSnapshot(files)
		if err == nil {
			s, err = by.Snapshot(s)
		}
		if err == nil {
			copied, err = s.Files()
		}
		if err != nil {
			copied, why = nil, errors.Join(fmt.Errorf("it could not be redacted, and so was not sent: %w", err), why)
		}
	}
	if why != nil {
		why = errors.New(by.String(why.Error()))
	}
	return copied, why
}
