package assemble

import (
	"context"
	"encoding/json"
	"fmt"

	"seaworthy/lab"
	"seaworthy/lab/wire"
)

// ports answers "port" with a new port of a hypervisor switch.
func ports(n *wire.Network) func(context.Context, json.RawMessage) (any, error) {
	return func(_ context.Context, args json.RawMessage) (any, error) {
		var at lab.SwitchPort
		if err := json.Unmarshal(args, &at); err != nil {
			return nil, fmt.Errorf("port: %w", err)
		}
		return n.Tap(at.System, at.VLAN)
	}
}
