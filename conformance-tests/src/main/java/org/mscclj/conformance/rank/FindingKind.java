package org.mscclj.conformance.rank;

/** The kinds of findings. A rule judges some kinds; each other kind means that the case does not prove the rule. */
public enum FindingKind {
    /** An element of the output is wrong, and none of the other kinds applies. */
    WRONG,
    /** An element of the output has its old value. */
    MISSING,
    /** Elements of the output are at the wrong position. */
    MISPLACED,
    /** The output is the result of another operation. */
    OTHER_OPERATION,
    /** Memory next to a buffer has changed. */
    OUTSIDE,
    /** An input has changed. */
    INPUT_CHANGED,
    /** The output changed after its operation had ended. */
    LATE,
    /** Ranks hold different bits. */
    UNEQUAL,
    /** A repeated call on equal data gave other bits. */
    UNREPEATED,
    /** An operation that all ranks launched did not end. */
    TIMED_OUT,
    /** A call did not return when it should have. */
    HUNG,
    /** A valid call was refused as invalid. */
    REJECTED,
    /** Something was refused as unsupported. */
    UNSUPPORTED,
    /** A call threw an exception that it must not throw. */
    ERROR,
    /** The case ended because another rank failed. */
    ABORTED,
    /** The behaviour differs from the rule. */
    BEHAVIOUR,
    /** Nothing is wrong: this rank has nothing to do in the case. */
    NO_PART
}
