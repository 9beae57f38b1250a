package command

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// errDuration says how a time is written, everywhere on the command line.
var errDuration = errors.New("expected a time, such as 30s, 5m or 1h30m")

// duration is a flag that takes a time.
type duration struct{ to *time.Duration }

// Duration is the value of a flag that takes a time, such as 30s or 5m.
func Duration(to *time.Duration) pflag.Value { return duration{to} }

// Set takes a time as it is written on the command line.
func (d duration) Set(text string) error {
	read, err := time.ParseDuration(text)
	if err != nil {
		return errDuration
	}
	*d.to = read
	return nil
}

// String is the time as it is written on the command line.
func (d duration) String() string {
	if d.to == nil {
		return ""
	}
	return shortTime(*d.to)
}

// shortTime is a time as people write it: 2m, not 2m0s. Help shows no default that is 0.
func shortTime(of time.Duration) string {
	if of == 0 {
		return "0"
	}
	text := of.String()
	for _, unit := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, unit) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Type is the word for it in help.
func (duration) Type() string { return "duration" }

// seconds is a flag that takes a time and keeps it in seconds.
type seconds struct{ to *float64 }

// Seconds is the value of a flag that takes a time, such as 400ms or 10s, and keeps it in
// seconds. A number alone is seconds too.
func Seconds(to *float64) pflag.Value { return seconds{to} }

// Set takes a time as it is written on the command line.
func (s seconds) Set(text string) error {
	number, err := strconv.ParseFloat(text, 64)
	if err == nil && !math.IsNaN(number) {
		*s.to = number
		return nil
	}
	read, err := time.ParseDuration(text)
	if err != nil {
		return errDuration
	}
	*s.to = read.Seconds()
	return nil
}

// String is the time as it is written on the command line.
func (s seconds) String() string {
	if s.to == nil {
		return ""
	}
	return shortTime(time.Duration(*s.to * float64(time.Second)))
}

// Type is the word for it in help.
func (seconds) Type() string { return "duration" }
