package sshhost

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"seaworthy/internal/remote"
)

// Logins of one user, of which so many work: never more are under way or refused
// in a row than may be, and each refusal doubles the wait before the next.
func TestLoginsOfOneUser(t *testing.T) {
	for _, tc := range []struct {
		name           string
		most, hosts    int
		works          func(n int) bool
		tried, refused int
	}{
		{"all refused", 3, 20, func(int) bool { return false }, 3, 3},
		{"all refused, no limit", 0, 4, func(int) bool { return false }, 4, 4},
		{"every other one refused", 3, 20, func(n int) bool { return n%2 == 0 }, 20, 10},
		{"none refused", 2, 20, func(int) bool { return true }, 20, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := NewLogins(tc.most)
				var tried, refused, trying, barred atomic.Int32
				var all sync.WaitGroup
				for range tc.hosts {
					all.Go(func() {
						if err := l.enter(t.Context(), "svc"); err != nil {
							if !errors.Is(err, remote.ErrAuth) {
								t.Error(err)
							}
							barred.Add(1)
							return
						}
						if n := int(trying.Add(1)); tc.most > 0 && n > tc.most {
							t.Errorf("%d logins at once, want at most %d", n, tc.most)
						}
						time.Sleep(100 * time.Millisecond) // synctest's clock: costs no time
						n := int(tried.Add(1))
						trying.Add(-1)
						if tc.works(n) {
							l.leave("svc", nil)
							return
						}
						refused.Add(1)
						l.leave("svc", fmt.Errorf("%w: no", remote.ErrAuth))
					})
				}
				all.Wait()
				got := fmt.Sprint(tried.Load(), refused.Load(), barred.Load())
				if want := fmt.Sprint(tc.tried, tc.refused, tc.hosts-tc.tried); got != want {
					t.Errorf("tried, refused, barred: got %s, want %s", got, want)
				}
				if err := l.enter(t.Context(), "other"); err != nil {
					t.Errorf("another user: %v", err)
				}
			})
		})
	}
}

func TestRefusalsSlowDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLogins(0)
		var waits []time.Duration
		for range 4 {
			begin := time.Now()
			if err := l.enter(t.Context(), "svc"); err != nil {
				t.Fatal(err)
			}
			waits = append(waits, time.Since(begin))
			l.leave("svc", remote.ErrAuth)
		}
		if got := fmt.Sprint(waits); got != "[0s 250ms 500ms 1s]" {
			t.Errorf("waited %s", got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := l.enter(ctx, "svc"); !errors.Is(err, remote.ErrTimeout) {
			t.Errorf("interrupted: got %v", err)
		}
	})
}
