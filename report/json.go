package report

import (
	"bytes"
	"encoding/json"

	"seaworthy/report/quote"
)

var _ = register(Format{Name: "json", Print: func(p *Printer, r Result) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.Data); err != nil {
		return err
	}
	_, err := p.W.Write(quote.JSON(text.Bytes()))
	return err
}})
