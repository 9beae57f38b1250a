package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Is says whether f is a terminal.
func Is(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), getModes)
	return err == nil
}

// Size is how many characters the terminal has in a line, and how many lines.
// A terminal that does not know its size, such as a serial line, says 0 and 0.
func Size(f *os.File) (columns, lines int, err error) {
	w, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: size of the terminal: %w", f.Name(), err)
	}
	return int(w.Col), int(w.Row), nil
}

// Raw hands every byte through as it is, both ways: no echo, no lines, no
// signals from keys. The function that it gives puts the earlier modes back.
func Raw(f *os.File) (back func() error, err error) {
	return with(f, func(m *unix.Termios) {
		m.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
		m.Oflag &^= unix.OPOST
		m.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
		m.Cflag = m.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
		m.Cc[unix.VMIN], m.Cc[unix.VTIME] = 1, 0
	})
}

// Password reads a line without showing it, and gives it without its end.
// Input that ends before anything was typed is io.EOF.
func Password(f *os.File) (line []byte, err error) {
	back, err := with(f, func(m *unix.Termios) {
		m.Lflag = m.Lflag&^unix.ECHO | unix.ICANON | unix.ISIG
		m.Iflag |= unix.ICRNL
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, back()) }()
	return readLine(f)
}

// maxLine is more than a terminal's line discipline ever hands over at once.
const maxLine = 4096

// readLine reads byte by byte: what comes after the line is not for us.
func readLine(r io.Reader) ([]byte, error) {
	var line []byte
	for b := make([]byte, 1); ; {
		n, err := r.Read(b)
		switch {
		case n == 1 && b[0] == '\n':
			return line, nil
		case n == 1 && len(line) == maxLine:
			return nil, fmt.Errorf("a line of more than %d characters", maxLine)
		case n == 1:
			line = append(line, b[0])
		}
		if err == io.EOF && len(line) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// with changes the terminal's modes.
func with(f *os.File, change func(*unix.Termios)) (back func() error, err error) {
	fd := int(f.Fd())
	before, err := unix.IoctlGetTermios(fd, getModes)
	if err != nil {
		return nil, fmt.Errorf("%s: modes of the terminal: %w", f.Name(), err)
	}
	after := *before
	change(&after)
	if err := unix.IoctlSetTermios(fd, setModes, &after); err != nil {
		return nil, fmt.Errorf("%s: set modes of the terminal: %w", f.Name(), err)
	}
	return func() error { return unix.IoctlSetTermios(fd, setModes, before) }, nil
}
