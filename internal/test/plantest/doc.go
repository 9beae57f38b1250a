// Package plantest holds the hosts and plans that the tests of planning and of
// carrying out share.
package plantest
