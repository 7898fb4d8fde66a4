package org.mscclj.plan;

/** What the scratch buffer of a plan holds. */
public enum Protocol {
    /** Plain data. */
    SIMPLE("Simple"),
    /** Packets: data with flags, so that its allocation doubles. */
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
