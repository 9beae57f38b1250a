package wire

import "log/slog"

// log writes a change of the kernel, and the device it concerns, to the debug log.
func (s *netns) log(change, device string, about ...any) {
	slog.Debug(change, append([]any{"netns", s.name, "device", device}, about...)...)
}
