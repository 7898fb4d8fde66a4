package org.mscclj.cli.perf;

import org.mscclj.cli.perf.peer.Peer;

/**
 * A library to compare with.
 *
 * @param name its name in tables
 * @param description a description
 */
record PeerHeader(String name, String description) {
    static PeerHeader of(Peer peer) {
        return new PeerHeader(peer.name(), peer.description());
    }
}
