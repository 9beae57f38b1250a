package doctor_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seaworthy/internal/collect/doctor"
	"seaworthy/internal/knowledge"
	"seaworthy/internal/test/draw"
	"seaworthy/internal/test/planted"
)

// Whatever hosts answer, and whatever a secret in it is disguised as: it is not handed on.
func TestSharedSecrets(t *testing.T) {
	outputs := append(draw.OneIn(t, 6, planted.Transcripts(t)), planted.Real(t, 80)...)
	count := 0
	for _, name := range draw.OneIn(t, 7, slices.Sorted(maps.Keys(planted.Disguises))) {
		seen := map[string]int{}
		for _, o := range outputs {
			fields := o.Fields(seen)
			text, secrets := o.In(fields, planted.Disguises[name], count)
			count += len(secrets)
			examined := &doctor.Examination{Host: "payroll7", Results: []doctor.Result{
				{ID: "x", Answer: &knowledge.Answer{Stdout: text}}, {ID: "y", Why: text}}}
			handedOn(t, o.Name+": "+name, examined, slices.DeleteFunc(secrets, func(s planted.Secret) bool { return isLevel(text, s) }))
		}
		whole := &doctor.Examination{}
		var secrets []planted.Secret
		for _, field := range []*string{&whole.Host, &whole.Error, &whole.Level} {
			s := planted.Disguises[name](count, planted.Word(count))
			*field = s.Planted
			count++
			if field != &whole.Level || !strings.HasPrefix(s.Planted, "5.") { // that is a level
				secrets = append(secrets, s)
			}
		}
		handedOn(t, "examination: "+name, whole, secrets)
	}
	t.Logf("%d secrets planted in %d outputs", count, len(outputs))
	if count < 20 {
		t.Errorf("only %d secrets were planted: the test would prove little", count)
	}
}

var level = regexp.MustCompile(`(?i)(?:level|version|release|rpm|fileset|bos\.)[^\n]*$`)

// isLevel says whether four numbers stand where a level does.
func isLevel(text string, s planted.Secret) bool {
	before, _, _ := strings.Cut(text, s.Planted)
	return strings.HasPrefix(s.Planted, "5.") && level.MatchString(before)
}

// handedOn shares an examination and looks for secrets.
func handedOn(t *testing.T, where string, e *doctor.Examination, secrets []planted.Secret) {
	t.Helper()
	shared, err := doctor.Share([]*doctor.Examination{e})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(shared)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range secrets {
		if left := s.Left(string(text)); len(left) > 0 {
			t.Errorf("%s: %q came through as %q", where, s.Planted, left)
		}
	}
}
