package assemble_test

import (
	"strings"
	"testing"

	"seaworthy/internal/inventory/assemble"
	"seaworthy/internal/inventory/model"
)

// Of three name servers the first is silent, the second is slow, of the third nothing is known.
func TestNameServers(t *testing.T) {
	h := assemble.Host(assemble.About{Name: "lpar1", Platform: model.AIX}, []assemble.Output{{ID: "name-servers", Command: "nslookup", Text: []byte(
		"nameserver 192.0.2.53\n;; connection timed out; no servers could be reached\nreal\t0m4.01s\n" +
			"nameserver 192.0.2.54\nAddress: 192.0.2.54\nreal\t0m1.50s\nnameserver 192.0.2.55\nreal\t0m0.00s\n")}})
	want := map[string]float64{model.SilentServers: 1, model.FirstServerSilent: 1, model.LookupSeconds: 1.5}
	for name, v := range want {
		if got, ok := h.Figures[name]; !ok || got.Value != v {
			t.Errorf("%s: got %v, want %v", name, got.Value, v)
		}
	}
	if text := h.Figures[model.FirstServerSilent].From.Text; !strings.Contains(text, "192.0.2.53") {
		t.Errorf("the evidence does not name the server: %q", text)
	}
	h = assemble.Host(assemble.About{Name: "lpar1", Platform: model.AIX}, []assemble.Output{{ID: "name-servers", Command: "nslookup", Text: []byte("nameserver 192.0.2.53\nreal 0.00\n")}})
	if len(h.Figures) > 0 {
		t.Errorf("without nslookup: got %v, want nothing known", h.Figures)
	}
}

// The smallest path MTU by each interface counts, from pmtu display and from routes that older levels print with it.
func TestLearntMTU(t *testing.T) {
	for id, text := range map[string]string{
		"pmtu": "dst gw If pmtu refcnt redisc_t exp\n198.51.100.7 192.0.2.1 en0 1400 1 0 0\n198.51.100.8 192.0.2.1 en0 576 1 0 0\n198.51.100.9 192.0.2.1 en1 1500 1 0 0\n",
		"netstat-rn": "Routing tables\nDestination Gateway Flags Refs Use If PMTU Exp Groups\n\nRoute Tree for Protocol Family 2 (Internet):\n" +
			"default 192.0.2.1 UGc 0 0 en0 - - -\n198.51.100.8 192.0.2.1 UGHW 1 9 en0 576 9 -\n",
	} {
		h := assemble.Host(assemble.About{Name: "lpar1", Platform: model.AIX}, []assemble.Output{{ID: id, Command: id, Text: []byte(text)}})
		got := h.Figures["en0 "+model.LearntMTU]
		if got.Value != 576 || !strings.Contains(got.From.Text, "198.51.100.8") {
			t.Errorf("%s: got %v %q, want 576 to 198.51.100.8", id, got.Value, got.From.Text)
		}
	}
}
