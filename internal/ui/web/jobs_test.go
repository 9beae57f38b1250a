package web

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"seaworthy/internal/collect/live"
	"seaworthy/internal/test/await"
	"seaworthy/internal/ui/web/stream"
)

// blocked is a job that ends when it is told to.
func blocked(free <-chan struct{}, stopped chan<- string, name string) func(ctx context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		select {
		case <-free:
			return name, nil
		case <-ctx.Done():
			stopped <- name
			return nil, context.Cause(ctx)
		}
	}
}

// Many viewers of different pages do not stop each other's work.
func TestViewersDoNotStopEachOther(t *testing.T) {
	j := newJobs(t.Context())
	free, stopped := make(chan struct{}), make(chan string, 100)
	const viewers = 10
	ask := func(i int) (any, bool, error) {
		name := fmt.Sprintf("plan of host%d", i)
		return j.do(name, blocked(free, stopped, name))
	}
	for i := range viewers {
		if _, done, err := ask(i); done || err != nil {
			t.Fatalf("viewer %d: done %v, %v", i, done, err)
		}
	}
	close(free)
	for i := range viewers {
		await.Until(t, fmt.Sprintf("the page of viewer %d", i), func() bool {
			got, done, err := ask(i)
			if err != nil {
				t.Fatalf("viewer %d: %v", i, err)
			}
			return done && got == fmt.Sprintf("plan of host%d", i)
		})
	}
	if len(stopped) > 0 {
		t.Errorf("%s was stopped", <-stopped)
	}
}

// What several viewers ask for is computed once, and stays for the next one.
func TestJobIsDoneOnce(t *testing.T) {
	j := newJobs(t.Context())
	times := 0
	for range 3 {
		var value any
		await.Until(t, "a result", func() bool {
			got, done, err := j.do("result of 60 MB", func(context.Context) (any, error) {
				times++
				return "its page", nil
			})
			if err != nil {
				t.Fatal(err)
			}
			value = got
			return done
		})
		if value != "its page" {
			t.Errorf("got %v", value)
		}
	}
	if times != 1 {
		t.Errorf("computed %d times", times)
	}
}

// The job of a viewer who left gives way where another waits for a slot.
func TestJobOfNobody(t *testing.T) {
	j := newJobs(t.Context())
	now := time.Now()
	j.now = func() time.Time { return now }
	stopped := make(chan string, 100)
	for i := range atOnce {
		name := fmt.Sprint("left", i)
		if _, done, _ := j.do(name, blocked(nil, stopped, name)); done {
			t.Fatal("a blocked job is done")
		}
	}
	quick := func(context.Context) (any, error) { return "here", nil }
	if _, done, _ := j.do("waits", quick); done {
		t.Fatal("there is no slot, and it is done")
	}
	now = now.Add(unasked)
	await.Until(t, "the job that somebody waits for", func() bool {
		got, done, err := j.do("waits", quick)
		return err == nil && done && got == "here"
	})
}

// What panics costs its page alone.
func TestPanickingJob(t *testing.T) {
	j := newJobs(t.Context())
	_, done, err := j.do("x", func(context.Context) (any, error) { panic("slice bounds out of range") })
	if !done || err == nil || !strings.Contains(err.Error(), "slice bounds") {
		t.Errorf("got done %v, %v; want the reason", done, err)
	}
}

// Whatever page is asked for, a part of the list is shown.
func TestPaged(t *testing.T) {
	all := make([]int, 95)
	for i := range all {
		all[i] = i
	}
	for page, want := range map[string]int{
		"": 0, "1": 0, "2": 10, "10": 90, "11": 0, "0": 0, "-1": 0, "9223372036854775807": 0, "-9223372036854775808": 0,
		"922337203685477581": 0, "1844674407370955163": 0, "99999999999999999999": 0, "x": 0, "1e3": 0,
	} {
		got, p := paged(query{"/", map[string][]string{"page": {page}}}, all, 10)
		if len(got) == 0 || got[0] != want || p.First != want+1 {
			t.Errorf("page %q: got %v, %+v, want from %d on", page, got, p, want)
		}
	}
	if got, p := paged(query{"/", map[string][]string{"page": {"9223372036854775807"}}}, all[:0], 10); len(got) != 0 || p.Of != 0 {
		t.Errorf("of nothing: got %v, %+v", got, p)
	}
}

// A line that no screen shows is cut.
func TestShortened(t *testing.T) {
	long := strings.Repeat("é", 10_000)
	if got := shortened(long); len(got) > longestLine+50 || !strings.Contains(got, "of 20000 bytes") {
		t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-30:])
	}
	if got := shortened("short"); got != "short" {
		t.Errorf("got %q", got)
	}
}

// A frame is made into text once for all who watch.
func TestFrameTextIsShared(t *testing.T) {
	var frames frameText
	now := stream.Now{Frame: live.NewModel("a").Frame()}
	first, err := frames.text(now)
	if err != nil {
		t.Fatal(err)
	}
	again, err := frames.text(now)
	if err != nil || &first[0] != &again[0] {
		t.Errorf("the same frame was made twice: %v", err)
	}
	now.Faults = []string{"vios1 crash"}
	other, err := frames.text(now)
	if err != nil || !strings.Contains(string(other), "vios1 crash") {
		t.Errorf("another fault: got %s, %v", other, err)
	}
}
