// Package replay is a remote.Host that answers from a snapshot folder: the
// same command line gets the output that was recorded for it. What was not
// recorded fails with ErrNotRecorded, so that a missing output is never
// taken for an empty one.
package replay
