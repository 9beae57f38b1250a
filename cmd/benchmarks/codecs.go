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
	// parse says how many lines the codec understood of how many.
	parse func([]byte) (known, lines int, err error)
}

// parsed is what a codec makes of a text: it embeds a dialect.Report.
type parsed[T any] interface {
	*T
	Understood() (lines, of int)
}

func reads[T any, P parsed[T]](name string, parse func([]byte) (*T, error), folders ...string) codec {
	return codec{name: name, folders: folders, parse: func(text []byte) (known, lines int, err error) {
		v, err := parse(text)
		if err != nil {
			return 0, 0, err
		}
		known, lines = P(v).Understood()
		return known, lines, nil
	}}
}

var codecs = []codec{
	reads("entstat", entstat.ParseAll, "entstat_*"),
	reads("errpt", errpt.Parse, "errpt"),
	reads("hmc", hmc.Parse, "hmc_*"),
	reads("ifconfig", ifconfig.Parse, "ifconfig_a"),
	reads("lparstat", lparstat.Parse, "lparstat", "lparstat_i", "lparstat_H"),
	reads("lsattr", lsattr.Parse, "lsattr_if"),
	reads("lscfg", lscfg.Parse, "lscfg"),
	reads("lsdev", lsdev.Parse, "lsdev", "lsdev_adapter"),
	reads("netstat -in", interfaces.Parse, "netstat_in"),
	reads("netstat -s", protocols.Parse, "netstat_s"),
	reads("netstat -rn", routes.Parse, "netstat_rn"),
	reads("no", no.Parse, "no_FL", "other_vmo_FL"),
	reads("oslevel", oslevel.Parse, "oslevel"),
	reads("prtconf", prtconf.Parse, "prtconf"),
	reads("seastat", seastat.Parse, "seastat"),
	reads("vnicstat", vnicstat.Parse, "vnicstat"),
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
	s.page.say("Every codec over the real outputs it reads. MB (10⁶ bytes) per second of CPU time on one core, garbage collection included, best of %d runs; lines understood.", s.times(10))
	s.page.table("codec", "files", "bytes", "MB/s", "lines understood")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as an audit has it
	var all tally
	for _, c := range codecs {
		t, err := c.measure(ctx, s.times(10))
		if err != nil {
			return err
		}
		s.page.row(append([]string{c.name}, t.cells()...)...)
		all.add(t)
	}
	s.page.row(append([]string{"all"}, all.cells()...)...)
	s.page.row("goal", "", "", "", "100 %")
	return nil
}

// tally is what was measured over some files.
type tally struct {
	files, bytes, lines, known int
	took                       time.Duration
}

func (t *tally) add(u tally) {
	t.files, t.bytes, t.lines, t.known = t.files+u.files, t.bytes+u.bytes, t.lines+u.lines, t.known+u.known
	t.took += u.took
}

func (t *tally) cells() []string {
	return []string{fmt.Sprint(t.files), fmt.Sprint(t.bytes), rate(t.bytes, t.took), share(t.known, t.lines)}
}

func share(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.1f %%)", part, whole, 100*float64(part)/float64(whole))
}

// measure reads the files of a codec: how well, and how fast.
func (c *codec) measure(ctx context.Context, runs int) (t tally, err error) {
	texts, size, err := c.texts()
	if err != nil {
		return t, err
	}
	t.files, t.bytes = len(texts), size
	for i, text := range texts {
		known, lines, err := c.parse(text)
		if err != nil {
			return t, fmt.Errorf("%s: file %d of its corpus: %w", c.name, i+1, err)
		}
		t.lines, t.known = t.lines+lines, t.known+known
	}
	t.took, err = c.fastest(ctx, texts, runs)
	return t, err
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
	best := time.Duration(0)
	for range n {
		passes, begin := 0, processorTime()
		for passes == 0 || processorTime()-begin < least {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			for range 4 {
				for _, t := range texts {
					_, _, _ = c.parse(t)
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
