// Package lsattr reads and prints what lsattr says about a device's
// attributes: -El and -EHl, -D, -P, -F with any list of columns, -O, and the
// allowed values of -R. The VIOS commands lsdev -dev X -attr [NAME] and lsdev
// -dev X -range NAME print the same shapes and are read here too.
//
// The hard part is the empty value. A row of -El has four columns, padded to
// the widest entry of that one output, and the value column of an attribute
// that was never set is blank: only the columns of the other rows, or the
// heading, tell a value from the first word of the description. Where neither
// they nor the words themselves decide, the value is unknown (nil), not empty.
package lsattr
