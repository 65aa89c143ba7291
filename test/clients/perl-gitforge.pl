# Cleans repositories and forks with API::GitForge, as its commands do. The environment has the domain of the gateway in
# DOMAIN, and a token in TOKEN. With an argument, removes the fork again.
use 5.028;
use strict;
use warnings;
use API::GitForge::GitLab;

my $forge    = API::GitForge::GitLab->new(domain => $ENV{DOMAIN}, access_token => $ENV{TOKEN});
my $upstream = "demo/storefront";

if (@ARGV) {
    $forge->nuke_fork($upstream);
    exit;
}
$forge->clean_repo("maintainer/forged");
say $forge->ensure_fork($upstream);
say $forge->clean_fork($upstream);
say $forge->clean_fork($upstream);
eval { $forge->clean_repo("nowhere/forged") };
say $@ =~ s/ at .*//sr;
