package org.mscclj.api.channel;

/** The kind of channel that a connection serves. */
public enum ChannelKind {
    /** Memory channels: the peer's memory is mapped. */
    MEMORY,
    /** Port channels: a proxy moves data over a transport. */
    PORT
}
