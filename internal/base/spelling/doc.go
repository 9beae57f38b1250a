// Package spelling finds the name that was meant by a misspelt one.
package spelling
