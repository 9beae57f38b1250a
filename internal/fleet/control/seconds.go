package control

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Seconds is a length of time that JSON has as a number of seconds.
type Seconds time.Duration

// mostSeconds bounds what is read: more does not fit.
const mostSeconds = float64(math.MaxInt64) / 1e9

// MarshalJSON writes the seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).Seconds()) }

// UnmarshalJSON reads them.
func (s *Seconds) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("seconds: expected a number, not %.40s", text)
	}
	if math.Abs(n) >= mostSeconds {
		return fmt.Errorf("%g seconds: expected less than %g", n, mostSeconds)
	}
	*s = Seconds(math.Round(n * 1e9))
	return nil
}

func (s Seconds) String() string { return time.Duration(s).String() }
