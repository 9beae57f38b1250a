// Package predict says what a change of a path will bring before anything is
// changed: throughput, the cores of every host, and what limits the path now and
// afterwards, each with its 95 % interval.
//
// The model, for a TCP load of N streams with windows of W bytes:
//
//	cores of a host   = throughput · (a + b/frame + c/W) · N^g / clock + w
//	time of a byte    = (a + s/frame sent + r/frame received) / S(N) + R/(N·W)
//	throughput        = min(1/time of a byte, line, processors of a host / its cores a byte)
//	S(N)              = N / (1 + σ(N−1) + κN(N−1))
//
// a, b and c are cycles a byte, a frame and a window; w is cores spent on waking up while
// there is traffic. The time of a byte is that of a stream's busiest thread; what a full
// window adds to it, R/(N·W), is the round trip without that work, so that window/RTT
// holds under load. S is Gunther's Universal Scalability Law. A frame is what an element
// passes on at once: a segment of the MTU, or up to 64 KB where largesend or large receive
// holds from hop to hop.
//
//	setup.go    inventory and path → window, line, processors; what is assumed, what is unknown
//	frames.go   the same → the packets that each host handles
//	carried.go  two snapshots → what each host carried between them, and the cores it used
//	observe.go  saved results of bench → observations
//	fit.go      Bayesian regression with coefficients that cannot be negative
//	model.go    the formulas above, their priors from the catalogue (costs.yaml) and their fit
//	predict.go  draws from the fit through the minimum → the prediction
//
// Priors are published figures; whatever was measured on the path itself moves them.
// Outside the span of both there is no number: the prediction says what is unknown.
// Sessions that each wait for an answer have a model of their own, and percentiles: transactions.go.
//
// Units: bit/s, bytes, seconds, cores, cycles.
package predict
