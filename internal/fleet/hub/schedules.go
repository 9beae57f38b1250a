package hub

import (
	"context"

	"seaworthy/internal/fleet/control"
)

type schedule struct{ control.Schedule }

func (h *Hub) loadSchedules(context.Context) error { return nil }
func (h *Hub) beginDue(context.Context)            {}
func (h *Hub) putSchedule(context.Context, control.Schedule) (control.Schedule, error) {
	return control.Schedule{}, nil
}
func (h *Hub) removeSchedule(context.Context, control.Named) (control.Nothing, error) {
	return control.Nothing{}, nil
}
func (h *Hub) listSchedules(context.Context, control.Nothing) ([]control.Schedule, error) {
	return nil, nil
}
