//go:build !linux

package main

func labMain([]string) (handled bool, exit int) { return false, 0 }
