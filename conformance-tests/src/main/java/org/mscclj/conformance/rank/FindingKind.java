package org.mscclj.conformance.rank;

/** What can be wrong. A rule judges some kinds; others make a case say nothing about it. */
public enum FindingKind {
    /** An element of the output is none of the below, and wrong. */
    WRONG,
    /** An element of the output is what it was before. */
    MISSING,
    /** Elements of the output belong elsewhere in it. */
    MISPLACED,
    /** The output is what another operation gives. */
    OTHER_OPERATION,
    /** Memory beside a buffer has changed. */
    OUTSIDE,
    /** An input has changed. */
    INPUT_CHANGED,
    /** The output changed after its operation had ended. */
    LATE,
    /** Ranks hold different bits. */
    UNEQUAL,
    /** The same call on the same data gave other bits. */
    UNREPEATED,
    /** An operation that all ranks launched did not end. */
    TIMED_OUT,
    /** A call did not return when it should have. */
    HUNG,
    /** A valid call was refused as invalid. */
    REJECTED,
    /** Something was refused as unsupported. */
    UNSUPPORTED,
    /** A call threw what it must not throw. */
    ERROR,
    /** Ended because another rank failed. */
    ABORTED,
    /** Behaviour other than the rule's. */
    BEHAVIOUR,
    /** Nothing is wrong: the case has nothing for this rank to do. */
    NO_PART
}
