// Package archive walks what an administrator was sent: a file, a folder, or
// an archive of them (pax and tar, zip, and these inside gzip, bzip2, xz, zstd
// or compress, also one in another), or a mail with attachments, and gives every plain file as a stream.
//
// What an archive says is data. Nothing is written under a name that it gives:
// a name only labels what was found, and one that leads out (../, an absolute
// path) is cut back and reported. Links and devices are reported and never
// followed or opened. Sizes in headers are not believed: a text is read up to
// a limit and no further, an archive's total output is bounded, and memory
// does not grow with either.
//
// A damaged or cut-off archive gives what comes before the damage.
package archive
