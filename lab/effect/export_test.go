package effect

// Known is how many attributes this package says have a kernel effect.
func Known() int {
	n := 0
	for _, l := range table().Attributes {
		for _, o := range l {
			if _, ok := o[Kernel]; ok {
				n++
			}
		}
	}
	return n
}
