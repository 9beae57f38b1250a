package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seaworthy/internal/app"
	"seaworthy/internal/app/export"
	"seaworthy/internal/app/findings"
	"seaworthy/internal/app/fleet"
	"seaworthy/internal/app/metrics"
	"seaworthy/internal/app/past"
	"seaworthy/internal/audit/finding"
	"seaworthy/internal/base/decode"
	"seaworthy/internal/base/fileio"
	"seaworthy/internal/cli/command"
	"seaworthy/internal/history"
	"seaworthy/internal/ui/report"
)

func newExport(a *commandLine) *cobra.Command {
	return command.Group("export", "Give what seaworthy knows to other programs",
		newExportParquet(a), newExportPrometheus(a), newExportDashboards(a))
}

// parquetCommand writes Parquet files.
type parquetCommand struct {
	*commandLine
	location string
	since    string
	request  export.Request
}

func newExportParquet(a *commandLine) *cobra.Command {
	x := &parquetCommand{commandLine: a}
	x.request.Program = command.Built().ID()
	return a.command("export parquet", command.Flags{"history": &x.location, "tables": &x.request.Tables, "since": &x.since,
		"zone": &x.request.Zone}, func(c *cobra.Command, argv []string) error { return x.run(c.Context(), argv[0], argv[1:]) })
}

func (x *parquetCommand) run(ctx context.Context, dir string, folders []string) error {
	x.request.Dir, x.request.From = dir, strings.Join(folders, " ")
	if x.since != "" {
		at, err := past.ParseTime(x.since)
		if err != nil {
			return err
		}
		x.request.Since = at
	}
	err := x.request.Check()
	if err != nil {
		return err
	}
	store, failed, end, err := x.open(ctx, folders)
	if err != nil {
		return err
	}
	defer end()
	done, err := x.request.Parquet(ctx, store)
	if err != nil {
		return err
	}
	for _, f := range failed {
		x.Notice("%s", f.Error)
	}
	var status error
	if len(failed)+len(done.Lacking) > 0 {
		status = command.Exit(command.ExitInconclusive, nil)
	}
	return x.Conclude(status, done, func(p *report.Document) { report.Exported(p, done) })
}

// open opens the history, or makes one of folders that ends with the command.
func (x *parquetCommand) open(ctx context.Context, folders []string) (*history.Store, []fleet.Failure, func(), error) {
	if len(folders) == 0 {
		store, err := past.OpenToRead(ctx, x.access(), x.location)
		if err != nil {
			return nil, nil, nil, err
		}
		return store, nil, func() { store.Close() }, nil
	}
	if x.location != "" {
		return nil, nil, nil, command.Usage("export parquet: --history and folders exclude each other")
	}
	return past.Temporary(ctx, x.access(), folders)
}

// prometheusCommand prints, writes or sends metrics.
type prometheusCommand struct {
	*commandLine
	request     findings.Audit
	waivers     []string
	site        string
	moment      past.Moment
	file        string
	openMetrics bool
	remote      metrics.RemoteWrite
	authFile    string
	labels      []string
}

func newExportPrometheus(a *commandLine) *cobra.Command {
	x := &prometheusCommand{commandLine: a}
	x.request.Program = command.Built().ID()
	x.request.FailOn = findings.Threshold{Severity: finding.Critical, Never: true}
	return a.command("export prometheus", ruleFlags(&x.request.Rules).And(command.Flags{
		"waive": &x.waivers, "site": &x.site, "output": &x.file, "openmetrics": &x.openMetrics,
		"remote-write": &x.remote.URL, "auth-file": &x.authFile, "label": &x.labels,
	}).And(atFlags(&x.moment)), func(c *cobra.Command, argv []string) error { return x.run(c.Context(), argv) })
}

func (x *prometheusCommand) run(ctx context.Context, argv []string) error {
	err := x.check(ctx)
	if err != nil {
		return err
	}
	r, err := x.audit(ctx, x.moment, &x.request, argv)
	if err != nil {
		return err
	}
	source := metrics.OfAudit(r)
	if x.site != "" {
		source.Drift, err = findings.HeldAgainst(ctx, x.site, r.Reading.Fleet)
		if err != nil {
			return err
		}
	}
	err = x.give(ctx, source)
	if err != nil {
		return err
	}
	return completeness(r.Reading)
}

// check reads the flags, and the files that they name, before any host is read.
func (x *prometheusCommand) check(ctx context.Context) (err error) {
	x.request.Waivers, err = findings.LoadWaivers(ctx, x.waivers)
	if err != nil {
		return err
	}
	if x.remote.URL == "" {
		if x.authFile != "" || len(x.labels) > 0 {
			return command.Usage("export prometheus: --auth-file and --label are for --remote-write URL")
		}
		return fileio.Check(x.file)
	}
	if x.file != "" || x.openMetrics {
		return command.Usage("export prometheus: --remote-write sends: it excludes -o and --openmetrics")
	}
	x.remote.Labels, err = parseLabels(x.labels)
	if err != nil {
		return err
	}
	x.remote.Auth, err = readAuth(ctx, x.authFile)
	if err != nil {
		return err
	}
	return x.remote.Check()
}

// give prints, writes or sends the metrics.
func (x *prometheusCommand) give(ctx context.Context, source metrics.Source) error {
	all, err := source.Families()
	if err != nil {
		return err
	}
	if x.remote.URL != "" {
		done, err := x.remote.Push(ctx, all, past.Now())
		if err != nil {
			return err
		}
		x.Notice("remote write: %d series of %s were sent", done.Series, report.Plural(source.Hosts, "host"))
		return nil
	}
	format := metrics.Text
	if x.openMetrics {
		format = metrics.OpenMetrics
	}
	var text bytes.Buffer
	err = metrics.Write(&text, format, all)
	switch {
	case err != nil:
		return err
	case x.file == "":
		return x.Print(text.String())
	}
	return fileio.WritePublic(x.file, text.Bytes())
}

// parseLabels reads labels as NAME=VALUE.
func parseLabels(texts []string) (map[string]string, error) {
	labels := map[string]string{"job": "seaworthy"}
	for _, text := range texts {
		name, value, found := strings.Cut(text, "=")
		if !found {
			return nil, command.Usage("--label %s: expected NAME=VALUE, such as zone=dmz", text)
		}
		labels[name] = value
	}
	return labels, nil
}

// authVariable is the environment variable that holds what a file may hold.
const authVariable = "SEAWORTHY_REMOTE_WRITE_AUTH"

// readAuth gives the header Authorization: that of a file, or else of the environment; empty: none.
func readAuth(ctx context.Context, file string) (string, error) {
	if file == "" {
		return header(os.Getenv(authVariable)), nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("--auth-file %s: %w", file, fileio.Cause(err))
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("--auth-file %s: other users may read it: chmod 600", file)
	}
	text, err := decode.Read(ctx, file, 4096)
	if err != nil {
		return "", fmt.Errorf("--auth-file %s: %w", file, fileio.Cause(err))
	}
	value := header(strings.TrimSpace(string(text)))
	if value == "" || strings.ContainsAny(value, "\r\n") {
		return "", app.Usage("--auth-file %s: expected one line: a token, or what follows \"Authorization:\"", file)
	}
	return value, nil
}

// header is a token, or a whole value, as the value of Authorization.
func header(text string) string {
	if text == "" || strings.Contains(text, " ") {
		return text
	}
	return "Bearer " + text
}

func newExportDashboards(a *commandLine) *cobra.Command {
	return a.command("export dashboards", nil, func(_ *cobra.Command, argv []string) error {
		all, err := metrics.Dashboards()
		if err != nil {
			return err
		}
		made, err := fileio.MkdirAll(argv[0])
		if err != nil {
			return err
		}
		var files []string
		for _, d := range all {
			text, err := d.JSON()
			if err != nil {
				return err
			}
			file := filepath.Join(argv[0], d.Name+".json")
			err = fileio.WritePublic(file, text)
			if err != nil {
				made.Undo()
				return errors.Join(err, removeAll(files))
			}
			files = append(files, file)
		}
		return a.Print(strings.Join(files, "\n") + "\n")
	})
}

// removeAll removes files of something that failed.
func removeAll(files []string) error {
	for _, file := range slices.Backward(files) {
		err := os.Remove(file)
		if err != nil {
			return err
		}
	}
	return nil
}
