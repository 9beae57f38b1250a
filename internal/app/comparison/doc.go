// Package comparison puts hosts side by side: which of them is the odd one out, and in what.
package comparison
