package lsattr

import (
	"slices"
	"strings"

	"seaworthy/internal/parse"
)

// Words that stand in value columns of network devices and do not begin a
// description. "Default" and "Full" begin one: the case counts.
var valueWords = strings.Fields("on off yes no up down detach none true false auto enabled disabled standard default round_robin " +
	"sharing min max available netif_backup active passive long short full half")

var valueShape = parse.Lazy(`^(?:` + strings.Join([]string{
	`[+-]?\d+`,                             // 1500
	`0[xX][0-9A-Fa-f]+`,                    // 0xfffffff
	`\d+(?:\.\d+){1,3}(?:[/,]\S+)?`,        // 10.0.0.1, 10.0.0.1,255.255.255.0
	`[0-9A-Fa-f]*:[0-9A-Fa-f:.]+(?:/\d+)?`, // ::1
	`\d+_\w+`,                              // 10000_Full_Duplex
	`\d+ad`,                                // 8023ad
	`[A-Za-z]+_\w+`,                        // Auto_Negotiation, src_dst_port
	`[a-z]+\d+(?:,[a-z]+\d+)*`,             // ent0,ent1
	`\{.*\}`,                               // {ent0}
}, "|") + `)$`)

// valueLike reports whether a word is a value by its shape, no matter who prints it.
func valueLike(word string) bool {
	return valueShape.MatchString(word) || slices.Contains(valueWords, word)
}

// startsText reports whether a word can begin a description only.
func startsText(word string) bool {
	return word != "" && word[0] >= 'A' && word[0] <= 'Z' && !valueLike(word)
}
