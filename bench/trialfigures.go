package bench

// Figures are the trial's values by the name of the figure, those that it has.
func (t *Trial) Figures() map[string]float64 {
	out := map[string]float64{}
	for _, k := range kinds {
		if v, ok := k.of(t); ok {
			out[k.name] = v
		}
	}
	return out
}
