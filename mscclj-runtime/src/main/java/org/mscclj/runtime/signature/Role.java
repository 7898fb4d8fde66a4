package org.mscclj.runtime.signature;

/** As what a collective serves. Calls of different roles are described differently, and so are of different kinds. */
public enum Role {
    /** As itself. */
    ITSELF,

    /** As a barrier of streams, of which nothing else is told. */
    BARRIER,

    /** As a part of a reduction of parts of any sizes: that of the root. */
    PART
}
