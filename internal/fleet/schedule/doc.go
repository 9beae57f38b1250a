// Package schedule says when something is done again and again: at the times of a cron
// expression, later by a random jitter, and never in a blackout window.
package schedule
