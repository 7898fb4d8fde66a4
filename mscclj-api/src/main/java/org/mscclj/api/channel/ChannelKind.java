package org.mscclj.api.channel;

/** What a connection is for. */
public enum ChannelKind {
    /** Memory channels: the peer's memory is mapped. */
    MEMORY,
    /** Port channels: a proxy moves data over a transport. */
    PORT
}
