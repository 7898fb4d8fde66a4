package org.mscclj.device.kernels.plan;

/**
 * Where words of a step lie, from the start of the block's: a number, or in a loop of the code one that grows with each
 * turn.
 *
 * @param loops the loops that the step is in
 * @param growth what their turns add, as code
 * @param start the place in the first turn
 */
record TablePlace(int loops, String growth, int start) {
    static final TablePlace START = new TablePlace(0, "", 0);

    /** So many words further on. */
    TablePlace plus(int words) {
        return new TablePlace(loops, growth, start + words);
    }

    /** The variable of a loop that begins here. */
    String turn() {
        return "turn" + loops;
    }

    /** The same place in a loop that begins here, of which each turn has so many words. */
    TablePlace inLoop(int wordsOfTurn) {
        return new TablePlace(
                loops + 1, wordsOfTurn == 0 ? growth : growth + " + " + wordsOfTurn + " * " + turn(), start);
    }

    /** The code. */
    @Override
    public String toString() {
        return start + growth;
    }
}
