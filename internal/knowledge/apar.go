package knowledge

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"seaworthy/internal/base/decode"
)

// aparsFile has the days on which some APARs were opened.
const aparsFile = "apars.yaml"

// openedAPAR is an APAR and its day, 2013-07-10, or a later one by which it was there.
type openedAPAR struct {
	APAR string `yaml:"apar"`
	On   string `yaml:"on"`
	By   string `yaml:"by"`
	day  time.Time
}

// aparForm is an APAR of AIX: a letter that grows with the years, and a number.
var aparForm = regexp.MustCompile(`^I([A-Z])(\d{5})$`)

var openedAPARs = sync.OnceValues(func() ([]openedAPAR, error) {
	text, err := builtIn.ReadFile(aparsFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", aparsFile, err)
	}
	var file struct {
		Opened []openedAPAR `yaml:"opened"`
	}
	if err := decode.YAML(aparsFile, text, &file); err != nil {
		return nil, err
	}
	for i, a := range file.Opened {
		file.Opened[i].day, err = time.Parse(time.DateOnly, cmp.Or(a.On, a.By))
		if err != nil || aparOrder(a.APAR) == "" {
			return nil, fmt.Errorf("%s: %s on %q: want an APAR and a day", aparsFile, a.APAR, cmp.Or(a.On, a.By))
		}
	}
	if !slices.IsSortedFunc(file.Opened, func(a, b openedAPAR) int { return strings.Compare(aparOrder(a.APAR), aparOrder(b.APAR)) }) ||
		!slices.IsSortedFunc(file.Opened, func(a, b openedAPAR) int { return a.day.Compare(b.day) }) {
		return nil, fmt.Errorf("%s: not in the order of numbers and of days", aparsFile)
	}
	return file.Opened, nil
})

// aparLetters are the first letters of the numbers, in the order of their years.
const aparLetters = "YZVJ"

// aparOrder is a text that orders APARs by their age; empty for what is not an APAR of AIX.
func aparOrder(apar string) string {
	m := aparForm.FindStringSubmatch(apar)
	if m == nil || !strings.Contains(aparLetters, m[1]) {
		return ""
	}
	return fmt.Sprintf("%d%s", strings.Index(aparLetters, m[1]), m[2])
}

// APAROpened gives the days between which an APAR of AIX was opened, by its number; the zero time where
// no day is known on that side, or it is not an APAR.
func APAROpened(apar string) (after, before time.Time) {
	known, err := openedAPARs()
	order := aparOrder(apar)
	if err != nil || order == "" { // its own tests hold that it loads
		return after, before
	}
	for _, a := range known {
		have := aparOrder(a.APAR)
		if have <= order && a.On != "" {
			after = a.day
		}
		if have >= order && before.IsZero() {
			before = a.day
		}
	}
	return after, before
}

// buildForm is the end of a level that oslevel -s prints: the year and the week of the build.
var buildForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}-(\d{2})(\d{2})$`)

// BuiltOn gives the Monday of the week in which a service pack of AIX was built: 7200-05-03-2148 in week 48 of
// 2021. False for a level that does not say.
func BuiltOn(level string) (time.Time, bool) {
	var year, week int
	m := buildForm.FindStringSubmatch(level)
	if m == nil {
		return time.Time{}, false
	}
	if _, err := fmt.Sscanf(m[1]+" "+m[2], "%d %d", &year, &week); err != nil || week < 1 || week > 53 {
		return time.Time{}, false
	}
	first := time.Date(2000+year, 1, 4, 0, 0, 0, 0, time.UTC) // always in the first week
	monday := first.AddDate(0, 0, -(int(first.Weekday())+6)%7)
	return monday.AddDate(0, 0, 7*(week-1)), true
}
