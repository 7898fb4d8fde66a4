package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Memory: for each cell its value, who wrote it last, and who has read it since. */
final class Cells {
    private static final int NOBODY = -1;

    private final int rank;
    private final String letter;
    private final int[] value;
    private final int[] writer;
    private final int[] writeStep;
    private final int[] reader;
    private final int[] readStep;

    /** Readers beyond the first: agent and step by turns. */
    private final int[] @Nullable [] moreReaders;

    /** Reads from which packets were computed. */
    private final List<@Nullable List<ElementRead>> elementReads = new ArrayList<>();

    Cells(int rank, String letter, int size) {
        this.rank = rank;
        this.letter = letter;
        this.value = new int[size];
        this.writer = new int[size];
        this.writeStep = new int[size];
        this.reader = new int[size];
        this.readStep = new int[size];
        this.moreReaders = new int[size][];
        this.elementReads.addAll(Collections.nCopies(size, null));
        Arrays.fill(writer, NOBODY);
        Arrays.fill(reader, NOBODY);
    }

    int size() {
        return value.length;
    }

    int value(int cell) {
        return value[cell];
    }

    /** Reads a cell to compute a packet from it. */
    @Nullable
    Conflict read(int cell, Agent agent, ElementRead read) {
        List<ElementRead> reads = elementReads.get(cell);
        if (reads == null) {
            reads = new ArrayList<>();
            elementReads.set(cell, reads);
        }
        reads.add(read);
        return afterWriter(cell, agent, false);
    }

    /** Reads a cell; whom that may overtake, nobody if nobody. */
    @Nullable
    Conflict read(int cell, Agent agent) {
        if (reader[cell] == NOBODY || reader[cell] == agent.index()) {
            reader[cell] = agent.index();
            readStep[cell] = agent.step();
        } else {
            addReader(cell, agent);
        }
        return afterWriter(cell, agent, false);
    }

    /** Whether the agent has written the cell in its present step. */
    boolean isWrittenBy(int cell, Agent agent) {
        return isSameStep(writer[cell], writeStep[cell], agent);
    }

    /** Whether the agent has read the cell in its present step. */
    boolean isReadBy(int cell, Agent agent) {
        if (isSameStep(reader[cell], readStep[cell], agent)) {
            return true;
        }
        int[] more = moreReaders[cell];
        for (int i = 0; more != null && i < more.length; i += 2) {
            if (isSameStep(more[i], more[i + 1], agent)) {
                return true;
            }
        }
        return false;
    }

    String letter() {
        return letter;
    }

    private @Nullable Conflict afterWriter(int cell, Agent agent, boolean writes) {
        int who = writer[cell];
        int when = writeStep[cell];
        return who == NOBODY || isSameStep(who, when, agent) || agent.knowsWrite(who, when)
                ? null
                : new Conflict(rank, letter, cell, who, when, true, agent.index(), agent.step(), writes);
    }

    private void addReader(int cell, Agent agent) {
        int[] more = moreReaders[cell];
        if (more == null) {
            moreReaders[cell] = new int[] {agent.index(), agent.step()};
            return;
        }
        for (int i = 0; i < more.length; i += 2) {
            if (more[i] == agent.index()) {
                more[i + 1] = agent.step();
                return;
            }
        }
        int[] longer = Arrays.copyOf(more, more.length + 2);
        longer[more.length] = agent.index();
        longer[more.length + 1] = agent.step();
        moreReaders[cell] = longer;
    }

    /** Writes a cell; whom that may overtake, nobody if nobody. */
    @Nullable
    Conflict write(int cell, int newValue, Agent agent) {
        boolean same = newValue != Values.NOTHING && value[cell] == newValue;
        // what one agent writes twice is the same in either order
        Conflict conflict = same && writer[cell] == agent.index() ? null : afterWriter(cell, agent, true);
        if (conflict == null && !same) {
            conflict = afterReaders(cell, agent);
        }
        value[cell] = newValue;
        writer[cell] = agent.index();
        writeStep[cell] = agent.step();
        if (same) { // readers get the same before and after, and must have ended before another value is written
            return conflict;
        }
        reader[cell] = NOBODY;
        moreReaders[cell] = null;
        elementReads.set(cell, null);
        return conflict;
    }

    private @Nullable Conflict afterReaders(int cell, Agent agent) {
        Conflict conflict = reader[cell] == NOBODY ? null : afterReader(cell, reader[cell], readStep[cell], agent);
        int[] more = moreReaders[cell];
        for (int i = 0; conflict == null && more != null && i < more.length; i += 2) {
            conflict = afterReader(cell, more[i], more[i + 1], agent);
        }
        List<ElementRead> reads = elementReads.get(cell);
        if (conflict == null && reads != null) {
            for (ElementRead read : reads) {
                if (!isSameStep(read.agent(), read.step(), agent) && !read.isKnownTo(agent)) {
                    return afterReader(cell, read.agent(), read.step(), agent);
                }
            }
        }
        return conflict;
    }

    private @Nullable Conflict afterReader(int cell, int who, int when, Agent agent) {
        return isSameStep(who, when, agent) || agent.knowsRead(who, when)
                ? null
                : new Conflict(rank, letter, cell, who, when, false, agent.index(), agent.step(), true);
    }

    /** An operation reads an element before it writes it. */
    private static boolean isSameStep(int who, int when, Agent agent) {
        return who == agent.index() && when == agent.step();
    }
}
