package org.mscclj.runtime.signature;

/** Purpose of a collective. Calls with different roles have different descriptions, and are of different kinds. */
public enum Role {
    /** The collective itself. */
    ITSELF,

    /** A barrier of streams. Its description names nothing else. */
    BARRIER,

    /** One part of a variable-size reduction: the part of the root. */
    PART
}
