//go:build !linux

package cli_test

func labMain([]string) (handled bool, exit int) { return false, 0 }
