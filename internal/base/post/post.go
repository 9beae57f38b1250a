package post

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Message is what is sent.
type Message struct {
	URL    string
	Auth   string // value of the header Authorization; empty: the user of the URL, if it names one
	Header http.Header
	Body   []byte
	Within time.Duration // with all tries
}

// Bounds of one try, and of the pauses between tries.
const (
	longestTry  = 10 * time.Second
	firstPause  = 200 * time.Millisecond
	longestNote = 200 // bytes of an answer that are told
)

// Shown is the server of a URL, which may be printed.
func Shown(location string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return "the URL"
	}
	return u.Scheme + "://" + u.Host
}

// Check refuses what is no URL of a web server. Its error does not have the URL.
func Check(location string) error {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("expected a URL such as https://monitor.example.com/api")
	}
	return nil
}

// Send sends a message until the server takes it. An answer that another try will not change
// ends it, and so does the end of its time.
func Send(ctx context.Context, m Message) error {
	ctx, stop := context.WithTimeout(ctx, m.Within)
	defer stop()
	client := &http.Client{
		Timeout:       longestTry,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	err := Retry(ctx, func() error { return try(ctx, client, m) })
	if err != nil {
		return fmt.Errorf("%s: %w", Shown(m.URL), err)
	}
	return nil
}

// Permanent is an error that another try will not change.
func Permanent(err error) error { return backoff.Permanent(err) }

// Retry runs work with growing pauses until it succeeds, its error is Permanent or the context ends. It
// gives the last error of the work.
func Retry(ctx context.Context, work func() error) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = firstPause
	tries := 0
	var last error
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		tries++
		err := work()
		if err != nil && (ctx.Err() == nil || last == nil) {
			last = err
		}
		return struct{}{}, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(0))
	if err == nil {
		return nil
	}
	var permanent *backoff.PermanentError
	if errors.As(last, &permanent) {
		last = permanent.Unwrap()
	}
	if tries > 1 {
		return fmt.Errorf("%w (tried %d times)", last, tries)
	}
	return last
}

func try(ctx context.Context, client *http.Client, m Message) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return Permanent(errors.New("not a URL"))
	}
	for name, values := range m.Header {
		r.Header[name] = values
	}
	r.Header.Set("User-Agent", "seaworthy")
	if m.Auth != "" {
		r.Header.Set("Authorization", m.Auth)
	}
	answer, err := client.Do(r)
	var told *url.Error
	if errors.As(err, &told) { // it names the URL
		err = told.Err
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	note, _ := io.ReadAll(io.LimitReader(answer.Body, longestNote)) // what it says is told as far as it came
	if answer.StatusCode/100 == 2 {
		return nil
	}
	err = fmt.Errorf("HTTP %s: %s", answer.Status, strings.Join(strings.Fields(string(note)), " "))
	return again(answer, err)
}

// again says whether an answer may be another one later, and when.
func again(answer *http.Response, err error) error {
	if answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode/100 != 5 {
		return Permanent(err)
	}
	seconds, wrong := strconv.Atoi(answer.Header.Get("Retry-After"))
	if wrong != nil || seconds <= 0 {
		return err
	}
	return &delayed{err, backoff.RetryAfter(seconds)}
}

// delayed is an error of which the server says when to try again.
type delayed struct{ err, after error }

func (d *delayed) Error() string { return d.err.Error() }

// Unwrap gives both to who looks for them.
func (d *delayed) Unwrap() []error { return []error{d.err, d.after} }
