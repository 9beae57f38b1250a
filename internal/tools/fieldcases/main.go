package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
)

func main() {
	program := flag.String("program", "bin/seaworthy", "the built `program`")
	only := flag.String("only", "", "run only cases whose name matches `regexp`")
	verbose := flag.Bool("v", false, "print the answers of each case")
	flag.Parse()
	folder := "../shared/field/cases"
	if flag.NArg() > 0 {
		folder = flag.Arg(0)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	wrong, err := runAll(ctx, *program, folder, *only, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fieldcases:", err)
		os.Exit(1)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

func runAll(ctx context.Context, program, folder, only string, verbose bool) (wrong int, err error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return 0, fmt.Errorf("-only: %w", err)
	}
	cases, err := findCases(folder)
	if err != nil {
		return 0, err
	}
	cases = slices.DeleteFunc(cases, func(c fieldCase) bool { return !pattern.MatchString(c.Name) })
	if len(cases) == 0 {
		return 0, errors.New(folder + ": no case in it")
	}
	expected, err := loadExpectations()
	if err != nil {
		return 0, err
	}
	program, err = filepath.Abs(program)
	if err != nil {
		return 0, err
	}
	var results []result
	for _, c := range cases {
		answers, err := runCase(ctx, program, c)
		if err != nil {
			return 0, fmt.Errorf("case %s: %w", c.Name, err)
		}
		r := judge(c, expected[c.Name], answers)
		printResult(os.Stdout, r, verbose)
		results = append(results, r)
	}
	printSum(os.Stdout, results)
	return count(results, wrongAnswer), nil
}
