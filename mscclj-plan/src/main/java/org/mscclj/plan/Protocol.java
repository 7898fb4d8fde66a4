package org.mscclj.plan;

/** The content of a plan's scratch buffer. */
public enum Protocol {
    /** Plain data. */
    SIMPLE("Simple"),
    /** Packets, i.e. data with flags, which double the size of scratch. */
    LL("LL");

    private final String label;

    Protocol(String label) {
        this.label = label;
    }

    /** The name used in plan files. */
    public String label() {
        return label;
    }
}
