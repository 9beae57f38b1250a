package printing

import (
	"seaworthy/internal/parse/linewise"
)

// FormatSlots prints lsdev -slots.
func FormatSlots(l *linewise.SlotList) []byte { return slotsLayout(l) }

var slotsLayout = newLayout(`# Slot                    Description       Device(s)
{{range .Slots}}
{{printf "%-25s" .Location}} {{if .Devices}}{{printf "%-17s" .Description}}{{range .Devices}} {{.}}{{end}}{{else}}{{.Description}}{{end}}
{{end}}
`, nil)
