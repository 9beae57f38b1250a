package past

import (
	"strconv"
	"strings"
	"time"

	"seaworthy/internal/app"
)

// timeForms are how a time may be written; without a zone it is UTC.
var timeForms = []string{
	time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02",
}

// ParseTime reads a time that a user named: 2026-11-27, 2026-11-27 14:30 (UTC), RFC 3339, now,
// or how long ago it was: 90m, 12h, 3d, 2w.
func ParseTime(text string) (time.Time, error) {
	if text == "now" {
		return Now(), nil
	}
	for _, form := range timeForms {
		at, err := time.Parse(form, text)
		if err == nil {
			return at.UTC(), nil
		}
	}
	ago, err := ParseAge(text)
	if err != nil {
		return time.Time{}, app.Usage("%s: expected a time such as 2026-11-27, \"2026-11-27 14:30\" (UTC), 2026-11-27T14:30:00+01:00 or "+
			"now, or how long ago it was, such as 12h or 3d", text)
	}
	return Now().Add(-ago), nil
}

// ParseAge reads a length of time: 90m, 12h, 3d, 2w.
func ParseAge(text string) (time.Duration, error) {
	wrong := app.Usage("%s: expected a length of time, such as 12h, 30d or 8w", text)
	for suffix, unit := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		number, whole := strings.CutSuffix(text, suffix)
		if !whole {
			continue
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > 100*366 {
			return 0, wrong
		}
		return time.Duration(n) * unit, nil
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 {
		return 0, wrong
	}
	return age, nil
}
