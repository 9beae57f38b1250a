package queue

import (
	"encoding/base64"
	"fmt"

	"github.com/nats-io/nats-server/v2/server"

	"seaworthy/internal/fleet/message"
)

// decodeSignature reads a signature as clients send it.
func decodeSignature(text string) []byte {
	for _, form := range []*base64.Encoding{base64.RawURLEncoding, base64.StdEncoding} {
		raw, err := form.DecodeString(text)
		if err == nil {
			return raw
		}
	}
	return nil
}

// zoneMay is what the collectors of a zone may do.
func zoneMay(zone string) *server.Permissions {
	jobs := JobsStream(zone)
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			message.ResultSubject(zone), message.ChunkSubject(zone, "*"), message.HostsSubject(zone), message.LeaseSubject(zone),
			fmt.Sprintf("$JS.API.CONSUMER.MSG.NEXT.%s.%s", jobs, Collector),
			fmt.Sprintf("$JS.API.CONSUMER.INFO.%s.%s", jobs, Collector),
			fmt.Sprintf("$JS.ACK.%s.%s.>", jobs, Collector), fmt.Sprintf("$JS.ACK.*.*.%s.%s.>", jobs, Collector),
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{message.Inbox(zone) + ".>"}},
	}
}

// operatorMay is what an operator may do: ask the hub, and get its answers.
func operatorMay() *server.Permissions {
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{"fleet.control.>"}},
		Subscribe: &server.SubjectPermission{Allow: []string{message.Inbox("operator") + ".>"}},
	}
}
