package org.mscclj.plan;

/** The three buffers of a rank that a plan names. */
public enum BufferType {
    /** The caller's input. */
    INPUT("i"),
    /** The caller's output. */
    OUTPUT("o"),
    /** Scratch memory of the plan's context. */
    SCRATCH("s");

    private final String letter;

    BufferType(String letter) {
        this.letter = letter;
    }

    /** The letter used in plan files. */
    public String letter() {
        return letter;
    }
}
