// Package fleet is about many hosts in zones that only a collector in them reaches: a hub
// makes sweeps, the collector of each zone reads its hosts and sends snapshots, the hub
// has them kept. It only reads: no plan is applied and no command is given through it.
//
//	hub ── jobs ──▶ queue (NATS JetStream) ──▶ zone: collector ──SSH──▶ hosts
//	 ▲                     │                            │
//	 └── results, chunks ──┴────────◀───────────────────┘ one TLS port, dialled from the zone
//
// Package message holds what is said, trust who may say it, queue the server and its
// streams, hub and zone the two ends, control what an operator asks of a hub, schedule
// when sweeps begin by themselves.
package fleet
