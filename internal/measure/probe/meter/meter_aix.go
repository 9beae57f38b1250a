package meter

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

type lparMeter struct {
	cancel context.CancelFunc
	done   chan struct{}
	out    []byte
	err    error
	length int
}

// Start begins an interval: lparstat measures whole seconds, so it is asked
// for the longest number of them that fits the length expected.
func Start(expected time.Duration) (Meter, error) {
	ctx, cancel := context.WithTimeout(context.Background(), expected+30*time.Second)
	m := &lparMeter{cancel: cancel, done: make(chan struct{}), length: max(1, int(expected/time.Second))}
	cmd := exec.CommandContext(ctx, "/usr/bin/lparstat", strconv.Itoa(m.length), "1")
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	go func() {
		defer close(m.done)
		m.out, m.err = cmd.Output()
	}()
	return m, nil
}

func (m *lparMeter) End() (*Usage, error) {
	defer m.cancel()
	select {
	case <-m.done:
	case <-time.After(3 * time.Second): // began later than the interval
		m.cancel()
		<-m.done
	}
	if m.err != nil {
		return nil, fmt.Errorf("lparstat %d 1: %w", m.length, m.err)
	}
	u, err := ParseLparstat(string(m.out))
	if err != nil {
		return nil, err
	}
	u.Seconds = float64(m.length)
	u.Scope = Scope()
	return u, nil
}

// Scope is the machine's id with the partition's number.
func Scope() string {
	machine, err := exec.Command("/usr/bin/uname", "-m").Output()
	if err != nil {
		return ""
	}
	partition, err := exec.Command("/usr/bin/uname", "-L").Output()
	f := strings.Fields(string(partition))
	if err != nil || len(f) == 0 {
		return ""
	}
	return "lpar:" + strings.TrimSpace(string(machine)) + ":" + f[0]
}
