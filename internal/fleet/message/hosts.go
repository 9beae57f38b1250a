package message

import (
	"encoding/json"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"seaworthy/internal/base/decode"
)

// maxHosts bounds the list of a zone, in bytes of JSON.
const maxHosts = 64 << 20

// WriteHosts is a list of hosts as a message. A list of more than about 100,000 hosts
// does not fit.
func WriteHosts(hosts []Host) ([]byte, error) {
	text, err := json.Marshal(hosts)
	if err != nil {
		return nil, fmt.Errorf("list of hosts: %w", err)
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("list of hosts: %w", err)
	}
	defer packer.Close()
	out := packer.EncodeAll(text, nil)
	if len(out) > MaxMessage {
		return nil, fmt.Errorf("list of %d hosts: too long for one zone: make several", len(hosts))
	}
	return out, nil
}

// ParseHosts reads a list that WriteHosts wrote.
func ParseHosts(data []byte) ([]Host, error) {
	opener, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxHosts))
	if err != nil {
		return nil, fmt.Errorf("list of hosts: %w", err)
	}
	defer opener.Close()
	text, err := opener.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("list of hosts: %w", err)
	}
	var hosts []Host
	err = decode.JSON("list of hosts", text, &hosts, decode.Newer)
	return hosts, err
}
