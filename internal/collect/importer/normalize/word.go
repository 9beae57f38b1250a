package normalize

import (
	"bytes"
	"encoding/xml"
	"strings"

	"seaworthy/internal/parse"
)

// wordDocument begins the text of a document of Word as its archive holds it; wordTitle is the style of a paragraph that is a title.
var (
	wordDocument = parse.Lazy(`(?s)\A\s*(?:<\?xml[^<>]*\?>\s*)?<w:document\b`)
	wordTitle    = parse.Lazy(`(?i)head|titl|titel|titre|t[ií]tulo|berschrift`)
)

// longestWordTitle bounds a title, in bytes.
const longestWordTitle = 120

// fromWord is what a document of Word shows: a line for each paragraph. False if a text is none.
func fromWord(text []byte) ([]byte, bool) {
	if !wordDocument.Match(text) {
		return nil, false
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	var out, paragraph strings.Builder
	style, shown := "", false
	for {
		token, err := d.Token()
		if err != nil { // the end, or what is not read either
			return []byte(out.String()), true
		}
		switch x := token.(type) {
		case xml.StartElement:
			switch x.Name.Local {
			case "p":
				paragraph.Reset()
				style = ""
			case "pStyle":
				style = valueOf(x)
			case "t":
				shown = true
			case "tab":
				paragraph.WriteByte('\t')
			case "br", "cr":
				paragraph.WriteByte('\n')
			}
		case xml.CharData:
			if shown {
				paragraph.Write(x)
			}
		case xml.EndElement:
			switch x.Name.Local {
			case "t":
				shown = false
			case "p":
				line := paragraph.String()
				if title := strings.TrimSpace(line); title != "" && len(title) <= longestWordTitle && wordTitle.MatchString(style) {
					line = "=== " + title + " ==="
				}
				out.WriteString(line + "\n")
			}
		}
	}
}

// valueOf is the attribute of an element that holds its value.
func valueOf(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "val" {
			return a.Value
		}
	}
	return ""
}
