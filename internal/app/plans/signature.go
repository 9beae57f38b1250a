package plans

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// signed is the namespace of signatures of plans: one of something else is none.
const signed = "plan@seaworthy"

// Sign writes the signature of a file beside it, FILE.sig, with an SSH key, as
// ssh-keygen -Y sign does: a private key, or a public one whose private key the
// agent has.
func Sign(ctx context.Context, file, key string) error {
	// It would ask whether to overwrite one.
	if err := os.Remove(file + ".sig"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("sign %s: %w", file, err)
	}
	if _, err := keygen(ctx, nil, "-Y", "sign", "-q", "-n", signed, "-f", key, file); err != nil {
		return fmt.Errorf("sign %s with %s: %w", file, key, err)
	}
	return nil
}

// signer holds a text against the signature beside its file, and says who of the
// allowed signers made it. allowed is a file as ssh-keygen(1) describes it under
// ALLOWED SIGNERS.
func signer(ctx context.Context, file string, text []byte, allowed string) (string, error) {
	signature := file + ".sig"
	if _, err := os.Stat(signature); err != nil {
		return "", fmt.Errorf("%s is not signed: %w (seaworthy plan --sign KEY -o %s)", file, err, file)
	}
	names, err := keygen(ctx, nil, "-Y", "find-principals", "-f", allowed, "-s", signature)
	if err != nil {
		return "", fmt.Errorf("%s is not signed by anyone in %s: %w", file, allowed, err)
	}
	for name := range strings.FieldsSeq(names) {
		if _, err = keygen(ctx, text, "-Y", "verify", "-f", allowed, "-I", name, "-n", signed, "-s", signature); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: its signature does not hold: it was edited after it was signed, or signed for another use: %w", file, err)
}

// keygen runs ssh-keygen; what it says is in the error.
func keygen(ctx context.Context, stdin []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "ssh-keygen", args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		said := strings.Join(strings.Fields(stderr.String()+" "+stdout.String()), " ")
		if said == "" {
			return "", err
		}
		return "", fmt.Errorf("ssh-keygen: %.300s", said)
	}
	return stdout.String(), nil
}
