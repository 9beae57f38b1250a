package change

import "fmt"

// Check holds a plan that was read from a file against its own identity: the
// commands that run are those that were reviewed.
func (p *Plan) Check() error {
	if p.Schema != SchemaPlan {
		return fmt.Errorf("not a plan: its schema is %q, not %q", p.Schema, SchemaPlan)
	}
	id, err := p.digest()
	if err != nil {
		return err
	}
	if id != p.ID {
		return fmt.Errorf("plan %s: its content has the id %s: it was edited after it was made (make a new plan)", p.ID, id)
	}
	return nil
}
