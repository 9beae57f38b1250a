// Package detect says from its content what a text is: which command of AIX, a
// VIOS, an HMC or Linux printed it, and about which device. What there is to
// detect is listed in dialect/registry.
//
// A text with the mark of an entry is given to the entry's codec, and the entry
// whose codec understands the most of it wins. What the heading, prompt or
// file name says decides only between readings that the content allows: forms
// of lsattr that print alike, and the device where the text does not say.
package detect
