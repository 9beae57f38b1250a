package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"seaworthy/internal/base/decode"
)

// Requests, as the last word of their subject.
const (
	AddZone        = "zone-add"
	RemoveZone     = "zone-remove"
	ListZones      = "zones"
	StartSweep     = "sweep"
	SweepStatus    = "status"
	ListSweeps     = "sweeps"
	CancelSweep    = "cancel"
	PutSchedule    = "schedule-put"
	RemoveSchedule = "schedule-remove"
	ListSchedules  = "schedules"
)

// Subject is that of a request.
func Subject(request string) string { return "fleet.control." + request }

// answer is an answer, or why there is none.
type answer[A any] struct {
	Error  string `json:"error,omitempty"`
	Answer A      `json:"answer"`
}

// Nothing is a request or an answer that says nothing more.
type Nothing struct{}

// Ask asks the hub.
func Ask[A any](ctx context.Context, nc *nats.Conn, request string, question any) (A, error) {
	var a answer[A]
	text, err := json.Marshal(question)
	if err != nil {
		return a.Answer, fmt.Errorf("hub: %s: %w", request, err)
	}
	m, err := nc.RequestWithContext(ctx, Subject(request), text)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return a.Answer, errors.New("hub: it is starting, or stopping: try again in a few seconds")
	case err != nil:
		return a.Answer, fmt.Errorf("hub: %s: no answer: %w", request, err)
	}
	err = decode.JSON("hub: "+request, m.Data, &a, decode.Newer)
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	return a.Answer, err
}

// Answer answers requests until the subscription ends.
func Answer[Q, A any](ctx context.Context, nc *nats.Conn, request string, handle func(context.Context, Q) (A, error)) (
	*nats.Subscription, error,
) {
	return nc.Subscribe(Subject(request), func(m *nats.Msg) {
		var q Q
		var a answer[A]
		err := decode.JSON(request, m.Data, &q, decode.Newer)
		if err == nil {
			a.Answer, err = handle(ctx, q)
		}
		if err != nil {
			a.Error = err.Error()
		}
		text, err := json.Marshal(a)
		if err != nil {
			text = []byte(`{"error": "the answer cannot be written"}`)
		}
		_ = m.Respond(text) // who asked is gone
	})
}
