//go:build !linux && !aix

package whole

import "errors"

func dontFragment(int) error { return errors.New("not on this system") }
