package org.mscclj.device.kernels.plan;

/**
 * The offset of a step's words from the start of those of its block: a number, or, within a loop of the code, an
 * expression that grows with each iteration.
 *
 * @param loops number of enclosing loops
 * @param growth increments of their iterations, as code
 * @param start offset in the first iteration
 */
record TableOffset(int loops, String growth, int start) {
    static final TableOffset START = new TableOffset(0, "", 0);

    /** The offset after a number of words. */
    TableOffset plus(int words) {
        return new TableOffset(loops, growth, start + words);
    }

    /** The loop variable of a loop that begins here. */
    String turn() {
        return "turn" + loops;
    }

    /** The same offset in a loop that begins here, with a number of words for each iteration. */
    TableOffset inLoop(int wordsOfTurn) {
        return new TableOffset(
                loops + 1, wordsOfTurn == 0 ? growth : growth + " + " + wordsOfTurn + " * " + turn(), start);
    }

    /** The code of the offset. */
    @Override
    public String toString() {
        return start + growth;
    }
}
