"""The APNs client beside h2load (processor time), beside aioapns (pushes a second), and over a long way (streams in use)."""
import apns_cost
import apns_delay
import apns_peer
from apns_server import Files

PARTS = [apns_cost, apns_peer, apns_delay]


def measure(bench, folder, short):
    """Measures one after the other; the report."""
    files = Files(folder)
    return [line for part in PARTS for line in part.report(part.measure(bench, files, short))]
