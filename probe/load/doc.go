// Package load makes TCP load: streams that write as fast as the path takes
// it, and sessions that ask and answer. One end listens, the other connects;
// either end may be the one that sends.
//
// Every connection has a goroutine of its own in blocking system calls, as one
// process or thread per session has in the tools of the field. A connection
// starts with the trial's token, so that a stranger's connection to the
// measured port is closed and never counted.
package load
