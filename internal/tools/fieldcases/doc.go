// Fieldcases runs published cases of slow networks whose true cause is known:
// it imports the outputs of each, audits and diagnoses them with the built
// program, and says whether the true cause was named.
//
//	go run ./internal/tools/fieldcases [-v] [-only REGEXP] [-program FILE] [FOLDER]
//
// A case is a folder with a folder of outputs for each host and a README.txt, or a
// text file with a head of "# case:" and "# right answer:" and parts that begin
// with "== PATH". What counts as its right answer stands in expected.yaml, by its
// name; a case that is not there is judged by the words of its own cure: APARs,
// attributes and values.
//
// Verdicts: first (the true cause is the first answer), among (it is named),
// needs data (what would decide is named as missing), nothing, and wrong (what
// must not be advised is advised), which makes the exit status 1.
package main
