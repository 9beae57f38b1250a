// Package example has one example of everything that package plain reports, and
// beside it how it is written.
package example

import (
	"errors"
	"strings"
)

type counter struct{ n int }

func (c *counter) add() bool { // want add:"writes"
	c.n++
	return c.n > 3
}

func (c *counter) Next() bool {
	c.n++
	return c.n < 3
}

func (c *counter) full() bool { return c.n > 3 }

func parse(s string) (int, error) { return len(s), errors.New(s) }

func initialisers(c *counter, s string) error { // want initialisers:"writes"
	var n int
	var err error
	if n = len(s); n > 1 { // want `initialiser assigns`
		return nil
	}
	if n, err = parse(s); err != nil {
		return err
	}
	if c.add(); c.full() { // want `initialiser does something`
		return nil
	}
	if v := len(s); c.full() { // want `condition does not ask about what its initialiser sets`
		return errors.New(strings.Repeat(s, v))
	}
	if v := len(s); v > n {
		return nil
	}
	for n = 0; n < 3; n++ { // want `initialiser assigns`
		c.n += n
	}
	switch n = len(s); n { // want `initialiser assigns`
	case 1:
		return nil
	}
	return nil
}

func conditions(c *counter) int { // want conditions:"writes"
	if c.full() || c.add() { // want `condition calls add, which writes`
		return 1
	}
	if func() bool { return c.full() }() { // want `condition runs a function literal`
		return 2
	}
	switch {
	case c.full() && !c.add(): // want `condition calls add, which writes`
		return 3
	}
	for c.Next() && !c.full() {
		c.n++
	}
	return 4
}

func ternary(up bool) string {
	return map[bool]string{true: "up", false: "down"}[up] // want `literal is indexed where it stands`
}

func four() (int, int, int, int) { return 1, 2, 3, 4 }

func assignments() int {
	a, b, c, d := 1, 2, 3, 4 // want `4 values are assigned at once`
	a, b, c, d = four()
	return a + b + c + d
}

func shadows(s string) string {
	strings := s // want `strings hides an import`
	return strings
}

func long(c *counter) { // want long:"writes" `long has 65 lines`
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
	c.n++
}

type busy struct{} // want `busy has 31 methods`

func (busy) m1()  {}
func (busy) m2()  {}
func (busy) m3()  {}
func (busy) m4()  {}
func (busy) m5()  {}
func (busy) m6()  {}
func (busy) m7()  {}
func (busy) m8()  {}
func (busy) m9()  {}
func (busy) m10() {}
func (busy) m11() {}
func (busy) m12() {}
func (busy) m13() {}
func (busy) m14() {}
func (busy) m15() {}
func (busy) m16() {}
func (busy) m17() {}
func (busy) m18() {}
func (busy) m19() {}
func (busy) m20() {}
func (busy) m21() {}
func (busy) m22() {}
func (busy) m23() {}
func (busy) m24() {}
func (busy) m25() {}
func (busy) m26() {}
func (busy) m27() {}
func (busy) m28() {}
func (busy) m29() {}
func (busy) m30() {}
func (busy) m31() {}
