package split

import (
	"strings"
	"testing"

	"seaworthy/internal/collect/importer/detect"
)

// Lines that a mail program broke at a blank are put together where the text is better understood so, and no others.
func TestFoldedLines(t *testing.T) {
	const lsattr = "alias4                      IPv4 Alias including Subnet Mask              True\n" +
		"mtu           1500          Maximum IP Packet Size for This Device        True\n" +
		"mtu_bypass    off           Enable/Disable largesend for virtual Ethernet True\n" +
		"remmtu        576           Maximum IP Packet Size for REMOTE Networks    True\n"
	folded := strings.NewReplacer("Mask              True", "Mask\nTrue", "Device        True", "Device\nTrue",
		"virtual Ethernet True", "virtual\nEthernet True", "Networks    True", "Networks\nTrue").Replace(lsattr)
	for text, joined := range map[string]bool{
		"# lsattr -El en0\n" + folded + "# hostname\nweb7\n": true,
		"# lsattr -El en0\n" + lsattr + "# hostname\nweb7\n": false,
	} {
		c := Text(t.Context(), []byte(text), "x.txt")
		if c.Joined != joined {
			t.Errorf("%q: joined %v, want %v", text, c.Joined, joined)
		}
		for _, p := range c.Pieces {
			f, ok := detect.Text(p.Text, detect.Hint{Command: p.Command})
			if strings.HasPrefix(p.Command, "lsattr") && (!ok || f.Understood() != 4) {
				t.Errorf("%q: lsattr is not understood: %q", text, p.Text)
			}
		}
	}
}

// What follows an output in a text that nobody knows stays with it as far as it is its own: blank lines do not part lparstat.
func TestOutputWithBlankLines(t *testing.T) {
	const lparstat = "System configuration: type=Shared mode=Uncapped smt=On lcpu=4 mem=4096 psize=63 ent=0.50\n\n" +
		"%user  %sys  %wait  %idle physc %entc  lbusy  vcsw phint\n----- ----- ------ ------ ----- ----- ------ ----- -----\n" +
		"0.2   0.8    0.0   98.9  0.01   1.8    2.3   152     0\n0.1   0.8    0.0   99.1  0.01   1.8    2.5   276     0\n"
	c := Text(t.Context(), []byte("How is this to be read?\n\n"+lparstat+"\nThere is nothing to calculate:\n\nYou have the four values.\n\n"+
		"\"wait\" and \"idle\" are the same: nobody works, whatever they say about it in the manuals and books.\n\nIt helps, I hope.\n\nold hand\n"), "x.txt")
	c.Notes("x.txt")
	for _, p := range c.Pieces {
		if strings.TrimSpace(string(p.Text)) == strings.TrimSpace(lparstat) {
			return
		}
	}
	t.Errorf("no whole lparstat in %+v", c.Pieces)
}

// Words above and below what dsh printed do not hide it, and are kept.
func TestPrefixedBetweenWords(t *testing.T) {
	text := "The output looks like this:\n\nvios1: ent8 Available Virtual I/O Ethernet Adapter (l-lan)\nvios1: vhost0 Available Virtual SCSI Server Adapter\n" +
		"vios2: ent9 Available Virtual I/O Ethernet Adapter (l-lan)\nvios2: vhost0 Available Virtual SCSI Server Adapter\n\nThen go on.\n"
	c := Text(t.Context(), []byte(text), "x.txt")
	hosts, all := map[string]bool{}, ""
	for _, p := range c.Pieces {
		all += string(p.Text)
		if _, ok := detect.Text(p.Text, detect.Hint{}); ok {
			hosts[p.Host] = true
		}
	}
	if !hosts["vios1"] || !hosts["vios2"] || !strings.Contains(all, "looks like this") || !strings.Contains(all, "Then go on") {
		t.Errorf("hosts %v in %+v", hosts, c.Pieces)
	}
}
