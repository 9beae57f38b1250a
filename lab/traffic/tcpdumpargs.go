package traffic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// sniffed is a tcpdump command line, taken apart into what listens and what
// prints.
type sniffed struct {
	device string   // -i; empty: not said
	read   string   // -r
	write  string   // -w
	snap   int      // -s
	way    string   // -Q: in, out; empty: both
	print  []string // for the tcpdump that prints
	tells  bool     // of itself and of devices, not of packets
}

const maxSnap = 262144

// valued are tcpdump's flags that have a value.
const valued = "BcCEFGijmMQrsTVwWyzZ"

// parseTcpdump reads a command line. What shapes the printing is passed on as
// it stands.
func parseTcpdump(args []string) (*sniffed, error) {
	s := &sniffed{snap: maxSnap}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if strings.HasPrefix(a, "--") && len(a) > 2 {
			name, value, joined := strings.Cut(a[2:], "=")
			short := map[string]string{"interface": "-i", "snapshot-length": "-s", "direction": "-Q"}[name]
			switch {
			case short != "" && joined:
				a = short + value
			case short != "":
				a = short
			default:
				s.print = append(s.print, a)
				s.tells = s.tells || name == "version" || name == "help" || strings.HasPrefix(name, "list-")
				continue
			}
		}
		if len(a) < 2 || a[0] != '-' {
			s.print = append(s.print, a)
			continue
		}
		var plain []byte
		for j := 1; j < len(a); j++ {
			f := a[j]
			if !strings.ContainsRune(valued, rune(f)) {
				if f != 'p' && f != 'I' { // of the device that listens
					plain = append(plain, f)
				}
				s.tells = s.tells || strings.ContainsRune("dDhL", rune(f))
				continue
			}
			v := a[j+1:]
			if v == "" {
				if i++; i >= len(args) {
					return nil, fmt.Errorf("option requires an argument -- '%c'", f)
				}
				v = args[i]
			}
			if err := s.flag(f, v); err != nil {
				return nil, err
			}
			break
		}
		if len(plain) > 0 {
			s.print = append(s.print, "-"+string(plain))
		}
	}
	return s, nil
}

func (s *sniffed) flag(f byte, v string) error {
	switch f {
	case 'i':
		s.device = v
	case 'r':
		s.read = v
	case 'w':
		s.write = v
	case 'Q':
		if !slices.Contains([]string{"in", "out", "inout"}, v) {
			return fmt.Errorf("unknown capture direction `%s'", v)
		}
		s.way = strings.TrimPrefix(v, "inout")
	case 's':
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > maxSnap {
			return fmt.Errorf("invalid snaplen %s", v)
		}
		if n > 0 {
			s.snap = n
		}
	case 'B', 'j', 'Z', 'y':
	case 'C', 'G', 'W', 'z', 'V':
		return errors.New("a lab that was started without privilege writes one file, and reads one: no -" + string(f))
	default:
		s.print = append(s.print, "-"+string(f), v)
	}
	return nil
}
