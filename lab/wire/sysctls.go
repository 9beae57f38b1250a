package wire

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

func (s *netns) applySysctls(keys map[string]string) error {
	if maps.Equal(keys, s.sysctls) {
		return nil
	}
	s.sysctls = nil
	err := s.in(func() error {
		for key, value := range keys {
			path, err := sysctlPath(key)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.log("set sysctl", "", "key", key, "value", value)
			if err := os.WriteFile(path, []byte(value), 0); err != nil {
				return fmt.Errorf("%s: sysctl %s=%q: %w", s.name, key, value, err)
			}
		}
		return nil
	})
	if err == nil {
		s.sysctls = maps.Clone(keys)
	}
	return err
}

// sysctlPath accepts net.* only: nothing else belongs to a network namespace.
func sysctlPath(key string) (string, error) {
	if !strings.HasPrefix(key, "net.") || strings.Contains(key, "/") || strings.Contains(key, "..") {
		return "", fmt.Errorf("sysctl %s: a lab sets only net.*", key)
	}
	return filepath.Join("/proc/sys", filepath.Join(strings.Split(key, ".")...)), nil
}
