package change

// Of gives the steps of one host with their places in the plan, from 1.
func (p *Plan) Of(host string) (steps []Step, places []int) {
	for i, s := range p.Steps {
		if s.Host == host {
			steps, places = append(steps, s), append(places, i+1)
		}
	}
	return steps, places
}
