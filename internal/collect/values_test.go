package collect

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seaworthy/internal/inventory/model"
	"seaworthy/internal/test/remotetest"
)

// what a change is checked by, of a host.
func checkedBy(h *model.Host) map[string][2]string {
	out := map[string][2]string{}
	show := func(v *string) string {
		if v == nil {
			return "unknown"
		}
		return "=" + *v
	}
	for n, a := range h.Tunables {
		out[n] = [2]string{show(a.Running), show(a.NextBoot)}
	}
	for n, e := range h.Elements {
		out[n+" state"] = [2]string{e.HAState, string(e.Kind)}
		for an, a := range e.Attrs {
			out[n+" "+an] = [2]string{show(a.Running), show(a.NextBoot)}
		}
	}
	return out
}

func TestValuesAreThoseOfAWholeReading(t *testing.T) {
	for name, answers := range map[string]table{"aix": aixHost(), "vios as root": viosHost(), "vios as padmin": padmin(true), "vios, no root": padmin(false), "linux": linuxHost()} {
		t.Run(name, func(t *testing.T) {
			user := "root"
			if strings.Contains(name, "padmin") || strings.Contains(name, "no root") {
				user = "padmin"
			}
			var mu sync.Mutex
			var sent []string
			f := remotetest.Start(t, map[string]remotetest.Handler{user + "@host": func(ctx context.Context, c *remotetest.Call) int {
				mu.Lock()
				sent = append(sent, c.Command)
				mu.Unlock()
				return answers.Serve(ctx, c)
			}})
			h := f.Host("host")
			whole, err := Read(t.Context(), h, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(checkedBy(whole)) == 0 {
				t.Fatal("no value was read")
			}
			var v Values
			for range 2 {
				before := len(sent)
				got, err := v.Read(t.Context(), h)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(checkedBy(whole), checkedBy(got)); d != "" {
					t.Errorf("values (-read whole +read for a change):\n%s", d)
				}
				for _, no := range []string{"errpt | head -n 200", "netstat -s", "lparstat -i", "cat /proc/net/snmp"} {
					if slices.Contains(sent[before:], no) {
						t.Errorf("asked for %q, which says no value", no)
					}
				}
			}
			if n := len(slices.DeleteFunc(sent, func(l string) bool { return l != "id -u" })); n != 2 {
				t.Errorf("asked what it is %d times, want once by Read and once by Values", n)
			}
		})
	}
}
