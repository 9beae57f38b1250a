// Package terminal asks the kernel about the user's terminal and sets its
// modes: is it one, how large is it, every key as it is pressed, a line that
// is not shown. It is termios(4) and ioctl(2), on Linux and macOS.
package terminal
