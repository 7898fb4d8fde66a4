package org.mscclj.support.interpreter;

/** The packet flags of a context: they count rounds from 1, skip 0, and wrap (SPEC 5.4). */
final class Flags {
    private int next;
    private boolean taken;
    private boolean wrapped;

    /**
     * The flags of a context.
     *
     * @param first the flag of the first round
     */
    Flags(int first) {
        next = first;
    }

    /** Takes the flag of the round that begins. */
    int take() {
        int flag = next;
        wrapped = flag == 1 && taken;
        taken = true;
        next = flag == -1 ? 1 : flag + 1;
        return flag;
    }

    /** Whether the flag that was taken last is the first after a wrap. */
    boolean wrapped() {
        return wrapped;
    }
}
