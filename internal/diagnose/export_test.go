package diagnose

var StillQueued = stillQueued
