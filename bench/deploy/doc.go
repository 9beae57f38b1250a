// Package deploy gets seaworthy-probe running on a host and takes it away
// again. An installed helper that speaks the protocol is used in place;
// else the right binary is copied over the session into a temporary folder of
// its own, from where the helper deletes itself as its first act, so that
// nothing is left whatever happens to the session afterwards.
package deploy
