package plans

import (
	"context"
	"fmt"

	"seaworthy/internal/app/fleet"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/change/plan"
	"seaworthy/internal/remote/targets"
)

// Read reads a plan file. With signers, a file of allowed ones, it must be
// signed by one of them: signedBy.
func Read(ctx context.Context, access fleet.Access, path, signers string) (p *plan.Plan, signedBy string, err error) {
	text, err := decode.Read(ctx, path, plan.MaxPlan) // what is checked is what is parsed
	if err != nil {
		return nil, "", fmt.Errorf("plan %s: %w (seaworthy plan -o writes one)", path, fileio.Cause(err))
	}
	if signers != "" {
		signedBy, err = signer(ctx, path, text, signers)
		if err != nil {
			return nil, "", err
		}
	}
	p, err = plan.Parse(path, text)
	if err == nil {
		err = checkHosts(ctx, access, p)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	return p, signedBy, nil
}

// ReadEdited reads a plan file as it stands, though it was edited after it was made, for a lab: see plan.ParseEdited.
func ReadEdited(ctx context.Context, path string) (p *plan.Plan, edits []string, err error) {
	text, err := decode.Read(ctx, path, plan.MaxPlan)
	if err != nil {
		return nil, nil, fmt.Errorf("plan %s: %w", path, fileio.Cause(err))
	}
	p, edits, err = plan.ParseEdited(path, text)
	if err == nil {
		err = checkHosts(ctx, fleet.Access{}, p)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, edits, nil
}

// checkHosts refuses a plan from a file that would run commands on this machine
// itself, or, with a hosts file, on a host outside it.
func checkHosts(ctx context.Context, access fleet.Access, p *plan.Plan) error {
	inv, err := access.Targets(ctx)
	if err != nil {
		return err
	}
	for _, name := range p.Senders() {
		if name == targets.Local {
			return fmt.Errorf("plan %s: %q is this machine: a plan file is not applied to it (give it a name of its own in a hosts file)",
				p.ID, name)
		}
		if inv == nil {
			continue
		}
		_, ok := inv.Hosts[name]
		if !ok {
			return fmt.Errorf("plan %s: host %s is not in %s", p.ID, name, inv.File)
		}
	}
	return nil
}
