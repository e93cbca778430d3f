# SPDX-License-Identifier: GPL-2.0-or-later
# What a fresh Request Tracker needs for the tests: queues, a reporter with a token. Prints one JSON line.
use strict;
use warnings;

use lib '/usr/share/request-tracker5/lib';
use JSON ();
use RT;

RT::LoadConfig();
RT::Init();

sub make {
    my ($object, %args) = @_;
    my ($id, $message) = $object->Create(%args);
    die "$message\n" unless $id;
    return $object;
}

my $queue = make(RT::Queue->new(RT->SystemUser), Name => 'traces');
my $closed = make(RT::Queue->new(RT->SystemUser), Name => 'closed');
my $user = make(RT::User->new(RT->SystemUser), Name => 'reporter', Password => 'Secret-pass1', Privileged => 1,
    EmailAddress => 'reporter@example.invalid');
for my $right (qw(SeeQueue ShowTicket CreateTicket ReplyToTicket)) {
    my ($ok, $message) = $user->PrincipalObj->GrantRight(Right => $right, Object => $queue);
    die "$message\n" unless $ok;
}
# Where only comments are allowed.
my $notes = make(RT::Queue->new(RT->SystemUser), Name => 'notes');
for my $right (qw(SeeQueue ShowTicket CommentOnTicket)) {
    my ($ok, $message) = $user->PrincipalObj->GrantRight(Right => $right, Object => $notes);
    die "$message\n" unless $ok;
}
my $ticket = make(RT::Ticket->new(RT->SystemUser), Queue => 'traces', Subject => 'The display stays black');
my $noted = make(RT::Ticket->new(RT->SystemUser), Queue => 'notes', Subject => 'The fan is loud');
my ($ok, $message, $token) = RT::AuthToken->new(RT->SystemUser)->Create(Owner => $user->Id, Description => 'tests');
die "$message\n" unless $ok;
print JSON::encode_json({ ticket => $ticket->Id, noted => $noted->Id, token => $token, user => $user->Id }), "\n";
