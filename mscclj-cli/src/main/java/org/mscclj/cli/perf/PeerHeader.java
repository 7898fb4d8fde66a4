package org.mscclj.cli.perf;

import org.mscclj.cli.perf.peer.Peer;

/**
 * What is compared with.
 *
 * @param name as tables show it
 * @param description what it is, in words
 */
record PeerHeader(String name, String description) {
    static PeerHeader of(Peer peer) {
        return new PeerHeader(peer.name(), peer.description());
    }
}
