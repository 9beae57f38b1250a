package drawing

import "seaworthy/inventory"

// Excerpt keeps what Path needs to draw a path later.
func Excerpt(f *inventory.Fleet, p *inventory.Path) *inventory.Excerpt {
	attrs := []string{"backup_adapter"} // which elements stand by
	for _, list := range shown {
		for _, x := range list {
			attrs = append(attrs, x[0])
		}
	}
	for _, x := range shownLinux {
		attrs = append(attrs, x[0])
	}
	return f.Excerpt(p, attrs, losses)
}
