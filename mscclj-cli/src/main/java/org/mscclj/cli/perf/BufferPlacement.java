package org.mscclj.cli.perf;

/** Whether input and output share memory. */
enum BufferPlacement {
    OUT_OF_PLACE("out-of-place"),
    IN_PLACE("in-place");

    private final String label;

    BufferPlacement(String label) {
        this.label = label;
    }

    /** Returns the name in tables. */
    String label() {
        return label;
    }
}
