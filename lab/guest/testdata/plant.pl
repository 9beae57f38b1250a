# What makes faults on a host for TestPlantedMisSettings: perl plant.pl COMMAND [ARGUMENTS].
use strict;
use Fcntl;
use POSIX ();
use Socket;

my ($command, @of) = @ARGV;

sub tcp { socket(my $s, PF_INET, SOCK_STREAM, 0) or die "socket: $!"; return $s }

sub listens {
    my ($port, $backlog) = @_;
    my $s = tcp();
    setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
    bind($s, sockaddr_in($port, INADDR_ANY)) or die "bind $port: $!";
    listen($s, $backlog) or die "listen: $!";
    return $s;
}

# Connections that are begun and not waited for.
sub begun {
    my ($host, $port, $count) = @_;
    my @all;
    for (1 .. $count) {
        my $s = tcp();
        fcntl($s, F_SETFL, O_NONBLOCK);
        connect($s, sockaddr_in($port, inet_aton($host)));
        push @all, $s;
    }
    return @all;
}

sub connected {
    my ($host, $port) = @_;
    for (1 .. 200) {
        my $s = tcp();
        return $s if connect($s, sockaddr_in($port, inet_aton($host)));
        select(undef, undef, undef, 0.05);
    }
    die "connect $host $port: $!";
}

my %do = (
    # listen COUNT: a program that accepts nobody, and COUNT that connect to it.
    listen => sub { my $l = listens(5001, 1); my @s = begun("127.0.0.1", 5001, $of[0]); select(undef, undef, undef, 0.2) },
    # hold PORT: listens for a few seconds, for begin.
    hold => sub { my $l = listens($of[0], 4); select(undef, undef, undef, 4) },
    # begin HOST PORT COUNT: connections whose answers go nowhere.
    begin => sub { my @s = begun(@of); select(undef, undef, undef, 1) },
    # udp COUNT: datagrams to a socket that nobody reads.
    udp => sub {
        socket(my $in, PF_INET, SOCK_DGRAM, 0); bind($in, sockaddr_in(5002, INADDR_LOOPBACK)) or die $!;
        setsockopt($in, SOL_SOCKET, SO_RCVBUF, 4096);
        socket(my $out, PF_INET, SOCK_DGRAM, 0);
        send($out, "x" x 800, 0, sockaddr_in(5002, INADDR_LOOPBACK)) for 1 .. $of[0];
    },
    # flows HOST COUNT: datagrams of as many sockets.
    flows => sub {
        for (1 .. $of[1]) {
            socket(my $s, PF_INET, SOCK_DGRAM, 0);
            send($s, "x", 0, sockaddr_in(9, inet_aton($of[0])));
        }
    },
    # sink PORT [WAIT]: reads one connection to its end; send HOST PORT KILOBYTES fills it.
    sink => sub {
        my $l = listens($of[0], 4);
        accept(my $s, $l);
        select(undef, undef, undef, $of[1] || 0);
        1 while sysread($s, my $b, 65536);
    },
    send => sub { my $s = connected(@of[0, 1]); syswrite($s, "x" x 16384) for 1 .. $of[2] / 16 },
    # prune COUNT: connections that take less than the window that they have announced, and do not read.
    prune => sub {
        my ($l, @all) = listens(5003, 4);
        for (1 .. $of[0]) {
            my $s = connected("127.0.0.1", 5003);
            accept(my $r, $l);
            setsockopt($r, SOL_SOCKET, SO_RCVBUF, 2304);
            setsockopt($s, 6, 1, 1);    # TCP_NODELAY
            fcntl($s, F_SETFL, O_NONBLOCK);
            syswrite($s, "x" x 4000) for 1 .. 30;
            push @all, $s, $r;
        }
        select(undef, undef, undef, 0.5);
    },
    # tap NAME: a device that is open, as QEMU has it, until its end.
    tap => sub {
        sysopen(my $f, "/dev/net/tun", O_RDWR) or die "tun: $!";
        my $request = pack("a16 s x22", $of[0], 0x0002 | 0x1000 | 0x4000);    # IFF_TAP, IFF_NO_PI, IFF_VNET_HDR
        my $writes = (POSIX::uname())[4] =~ /^ppc/ ? 0x80000000 : 0x40000000;
        ioctl($f, $writes | 0x454ca, $request) or die "TUNSETIFF: $!";
        ioctl($f, $writes | 0x454d0, 0x07) or die "TUNSETOFFLOAD: $!";         # checksums, TSO of IPv4 and IPv6
        select(undef, undef, undef, 60);
    },
);
($do{$command} or die "no command $command")->();
