//go:build !linux

package load

func punctual() {}
