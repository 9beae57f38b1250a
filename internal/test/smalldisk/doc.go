// Package smalldisk gives tests a file system that is soon full, on Linux as root.
package smalldisk
