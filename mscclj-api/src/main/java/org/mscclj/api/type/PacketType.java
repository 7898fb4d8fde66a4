package org.mscclj.api.type;

/**
 * The two low-latency packet formats, in which data and a flag travel together. Both have one memory layout: every 4
 * bytes of payload are followed by the 4-byte flag of the launch.
 */
public enum PacketType {
    /** 8 bytes {data, flag}, 4 of payload. */
    LL8,
    /** 16 bytes {data, flag, data, flag}, 8 of payload. */
    LL16
}
