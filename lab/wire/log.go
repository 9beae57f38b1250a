package wire

import "log/slog"

// log says on the debug log what is changed in the kernel, of which device.
func (s *netns) log(change, device string, about ...any) {
	slog.Debug(change, append([]any{"netns", s.name, "device", device}, about...)...)
}
