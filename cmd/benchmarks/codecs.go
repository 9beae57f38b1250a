package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"seaworthy/dialect/aix/entstat"
	"seaworthy/dialect/aix/errpt"
	"seaworthy/dialect/aix/hmc"
	"seaworthy/dialect/aix/ifconfig"
	"seaworthy/dialect/aix/lparstat"
	"seaworthy/dialect/aix/lsattr"
	"seaworthy/dialect/aix/lscfg"
	"seaworthy/dialect/aix/lsdev"
	"seaworthy/dialect/aix/netstat/interfaces"
	"seaworthy/dialect/aix/netstat/protocols"
	"seaworthy/dialect/aix/netstat/routes"
	"seaworthy/dialect/aix/no"
	"seaworthy/dialect/aix/oslevel"
	"seaworthy/dialect/aix/prtconf"
	"seaworthy/dialect/aix/seastat"
	"seaworthy/dialect/aix/vnicstat"
)

// codec is one codec with the folders of the corpus that it reads.
type codec struct {
	name    string
	folders []string
	parse   func([]byte) error
}

func reads[T any](parse func([]byte) (*T, error)) func([]byte) error {
	return func(text []byte) error {
		_, err := parse(text)
		return err
	}
}

var codecs = []codec{
	{"entstat", []string{"entstat_*"}, reads(entstat.ParseAll)},
	{"errpt", []string{"errpt"}, reads(errpt.Parse)},
	{"hmc", []string{"hmc_*"}, reads(hmc.Parse)},
	{"ifconfig", []string{"ifconfig_a"}, reads(ifconfig.Parse)},
	{"lparstat", []string{"lparstat", "lparstat_i", "lparstat_H"}, reads(lparstat.Parse)},
	{"lsattr", []string{"lsattr_if"}, reads(lsattr.Parse)},
	{"lscfg", []string{"lscfg"}, reads(lscfg.Parse)},
	{"lsdev", []string{"lsdev", "lsdev_adapter"}, reads(lsdev.Parse)},
	{"netstat -in", []string{"netstat_in"}, reads(interfaces.Parse)},
	{"netstat -s", []string{"netstat_s"}, reads(protocols.Parse)},
	{"netstat -rn", []string{"netstat_rn"}, reads(routes.Parse)},
	{"no", []string{"no_FL", "other_vmo_FL"}, reads(no.Parse)},
	{"oslevel", []string{"oslevel"}, reads(oslevel.Parse)},
	{"prtconf", []string{"prtconf"}, reads(prtconf.Parse)},
	{"seastat", []string{"seastat"}, reads(seastat.Parse)},
	{"vnicstat", []string{"vnicstat"}, reads(vnicstat.Parse)},
}

// corpus holds the real outputs, beside the repository.
const corpus = "../shared/corpus"

// reading speeds of the codecs, on one core. Other work on the machine makes
// wall time useless here: CPU time of this process counts, garbage collection
// included, and of several runs the best.
func (s *suite) codecs(ctx context.Context) error {
	s.page.say("\n## Reading outputs\n")
	if _, err := os.Stat(corpus); err != nil {
		s.page.say("The corpus of real outputs is not beside the repository: not measured.")
		return nil
	}
	s.page.say("Parse of every codec over the real outputs it reads; MB (10⁶ bytes) per second of CPU time on one core, garbage collection included, best of %d runs.", s.times(10))
	s.page.table("codec", "files", "bytes", "MB/s")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as an audit has it
	files, bytes, total := 0, 0, time.Duration(0)
	for _, c := range codecs {
		texts, size, err := c.texts()
		if err != nil {
			return err
		}
		once, err := c.fastest(ctx, texts, s.times(10))
		if err != nil {
			return err
		}
		s.page.row(c.name, fmt.Sprint(len(texts)), fmt.Sprint(size), rate(size, once))
		files, bytes, total = files+len(texts), bytes+size, total+once
	}
	s.page.row("all", fmt.Sprint(files), fmt.Sprint(bytes), rate(bytes, total))
	return nil
}

func rate(bytes int, took time.Duration) string {
	return fmt.Sprintf("%.0f", float64(bytes)/1e6/took.Seconds())
}

// texts are the corpus files of a codec.
func (c *codec) texts() (texts [][]byte, size int, err error) {
	for _, folder := range c.folders {
		names, err := filepath.Glob(filepath.Join(corpus, folder, "*"))
		if err != nil {
			return nil, 0, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, 0, err
			}
			texts, size = append(texts, text), size+len(text)
		}
	}
	if size == 0 {
		return nil, 0, fmt.Errorf("%s: the corpus has no file of it", c.name)
	}
	return texts, size, nil
}

// fastest is the CPU time of reading all texts once, the best of n runs.
func (c *codec) fastest(ctx context.Context, texts [][]byte, n int) (time.Duration, error) {
	const least = 50 * time.Millisecond // a run; the clock of the kernel is coarser than one pass
	for i, t := range texts {
		if err := c.parse(t); err != nil {
			return 0, fmt.Errorf("%s: file %d of its corpus: %w", c.name, i+1, err)
		}
	}
	best := time.Duration(0)
	for range n {
		passes, begin := 0, processorTime()
		for passes == 0 || processorTime()-begin < least {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			for range 4 {
				for _, t := range texts {
					_ = c.parse(t)
				}
				passes++
			}
		}
		if once := (processorTime() - begin) / time.Duration(passes); best == 0 || once < best {
			best = once
		}
	}
	return best, nil
}

// processorTime is what this process has used of its processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
