# STATES
#
# A run's state is the name of one file in its folder, state.NAME. Renaming that
# file is the move: of two processes that try at the same moment, one wins.
#
#   state          meaning                          next state, and who may move it there
#   armed          steps run or have run, the       confirmed      confirm (an operator)
#                  watchers count down              reverting.PID  a watcher (time is up), revert (an
#                                                                  operator), boot (a reboot)
#                                                   reverted       leave, needless, begin (host busy):
#                                                                  nothing was changed
#   reverting.PID  process PID restores the         reverted       PID
#                  earlier values                   failed         PID, after 60 attempts
#                                                   reverting.NEW  any process that finds PID dead
#   confirmed      the new values stay              reverting.PID  revert (an operator)
#   failed         PID gave up: a person must look  reverting.PID  revert (an operator)
#   reverted       the earlier values are back      -
#   gone           no state file: the folder was    reverting.PID  a watcher, boot, or the next question,
#                  removed (cleaner, tmpfs)                        each from the second copy
#
# There is no "local" in ksh88: a variable belongs to the function whose prefix it
# has. Set at the top and never changed: id under plan hosts tasks kept persists
# window limit base dir store copy entry. read_state alone sets state.

