// Package recognise tells from its content what a text is: which command of
// AIX, a VIOS, an HMC or Linux printed it, and about which device.
//
// A kind of output has marks, expressions that some line of it matches. A text
// with a mark of a kind is given to the kind's codec, and the kind whose codec
// understands the most of it wins. What the user's heading, prompt or file
// name says decides only between readings that the content allows: the forms
// of lsattr that print alike, and the device where the text does not say.
//
// Kinds that no codec reads (vmstat, lsmcode) are known by marks on most of
// their lines, so that they are not taken for something else and are listed as
// what they are.
package recognise
