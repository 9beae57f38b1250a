// Package export gives what a history holds to programs for analysis: tables of Parquet
// files, partitioned by date and zone in the layout of Hive, which DuckDB, Spark, Trino
// and pyarrow read as they are.
//
//	DIR/_seaworthy.json                                   what was exported, and when
//	DIR/snapshots/date=2026-11-27/zone=none/part-0.parquet  when each host was read, or not reached
//	DIR/facts/…                                           settings, levels, links, topology as intervals
//	DIR/findings/…                                        the rules' verdicts as intervals
//	DIR/counters/…                                        counters as each snapshot has them
//
// Rows are written as they are read: memory does not grow with their number. The folder is
// there whole or not at all; one that an earlier export made is replaced.
package export
