package web

import (
	"bytes"
	"net/http"
	"time"

	"seaworthy/internal/app/metrics"
	"seaworthy/internal/ui/web/guard"
	"seaworthy/internal/ui/web/store"
)

// longestScrape is how long a scrape waits for the first reading: Prometheus gives up after 10 s.
const longestScrape = 8 * time.Second

// serveMetrics answers with the audit of the folders, and the counters of their hosts, for Prometheus.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if s.o.Store == nil {
		http.Error(w, "no folder is served: metrics are of saved hosts", http.StatusNotFound)
		return
	}
	select {
	case <-s.o.Store.Ready():
	case <-r.Context().Done():
	case <-time.After(longestScrape):
	}
	st, err := s.o.Store.State()
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	case st.Generation == 0:
		w.Header().Set("Retry-After", "5")
		http.Error(w, "the folders are being read", http.StatusServiceUnavailable)
		return
	}
	format := metrics.Accepted(r.Header)
	var text bytes.Buffer
	all, err := metricsOf(st, s.o.Version).Families()
	if err == nil {
		err = metrics.Write(&text, format, all)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", string(format))
	guard.Send(w, r, http.StatusOK, text.Bytes())
}

// metricsOf is what the metrics of a state are made of.
func metricsOf(st *store.State, version string) metrics.Source {
	return metrics.Source{Version: version, At: st.Read, Hosts: len(st.Fleet.Hosts), NotRead: len(st.Problems), Findings: st.Findings,
		Waived: len(st.Waived), Fleet: st.Fleet}
}
