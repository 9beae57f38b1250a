// Package change groups what turns wanted settings into an ordered, reversible
// plan, and a plan into a run. It holds the tests of both together.
//
// Package plan orders the steps: what carries traffic before what sends it, and
// back when something is lowered; a VIOS pair one after the other; receive
// pools' maxima before their minima. Its Simulator audits the hosts as they
// would be afterwards: what would lose packets is refused. It reaches no host.
//
// Package task knows the command lines: a step is a task, and what checks, does,
// verifies and undoes it follows from what it changes. Three carriers take the
// same task:
//
//   - execute sends it over a session, journals before it acts, reads back, and
//     undoes all if a step fails;
//   - watchdog leaves it on the host, which takes everything back by itself
//     unless somebody confirms in time, whatever became of this program;
//   - ticket writes it as scripts and a CHANGE.md for people.
//
// What no host can set, a switch's ports, is a manual step before all others: a
// run waits until packets show that it was done, or the user says so. Package
// pathmtu finds which packets pass, and what stops larger ones.
package change
