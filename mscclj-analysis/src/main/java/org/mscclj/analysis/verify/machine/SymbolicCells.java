package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cells of one buffer: for each its value, its last writer, and its readers since that write. */
final class SymbolicCells {
    private static final int NO_AGENT = -1;

    private final int rank;
    private final String letter;
    private final int[] value;
    private final int[] writer;
    private final int[] writeStep;
    private final int[] reader;
    private final int[] readStep;

    /** Readers beyond the first, as pairs of agent and step. */
    private final int[] @Nullable [] moreReaders;

    /** Reads whose values went into packets. */
    private final List<@Nullable List<ElementRead>> elementReads = new ArrayList<>();

    SymbolicCells(int rank, String letter, int size) {
        this.rank = rank;
        this.letter = letter;
        this.value = new int[size];
        this.writer = new int[size];
        this.writeStep = new int[size];
        this.reader = new int[size];
        this.readStep = new int[size];
        this.moreReaders = new int[size][];
        this.elementReads.addAll(Collections.nCopies(size, null));
        Arrays.fill(writer, NO_AGENT);
        Arrays.fill(reader, NO_AGENT);
    }

    int size() {
        return value.length;
    }

    int value(int cell) {
        return value[cell];
    }

    /** Reads a cell to compute a packet from it. Returns the unordered earlier write; null if there is none. */
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

    /** Reads a cell. Returns the unordered earlier write; null if there is none. */
    @Nullable
    Conflict read(int cell, Agent agent) {
        if (reader[cell] == NO_AGENT || reader[cell] == agent.index()) {
            reader[cell] = agent.index();
            readStep[cell] = agent.step();
        } else {
            addReader(cell, agent);
        }
        return afterWriter(cell, agent, false);
    }

    /** Whether the agent has written the cell in its current step. */
    boolean isWrittenBy(int cell, Agent agent) {
        return isSameStep(writer[cell], writeStep[cell], agent);
    }

    /** Whether the agent has read the cell in its current step. */
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
        int other = writer[cell];
        int otherStep = writeStep[cell];
        return other == NO_AGENT || isSameStep(other, otherStep, agent) || agent.isAfterWrite(other, otherStep)
                ? null
                : new Conflict(rank, letter, cell, other, otherStep, true, agent.index(), agent.step(), writes);
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

    /** Writes a cell. Returns the unordered earlier access; null if there is none. */
    @Nullable
    Conflict write(int cell, int newValue, Agent agent) {
        boolean same = newValue != Values.NOTHING && value[cell] == newValue;
        // two writes of one agent with one value need no order
        Conflict conflict = same && writer[cell] == agent.index() ? null : afterWriter(cell, agent, true);
        if (conflict == null && !same) {
            conflict = afterReaders(cell, agent);
        }
        value[cell] = newValue;
        writer[cell] = agent.index();
        writeStep[cell] = agent.step();
        if (same) { // readers get the same value before and after; they must end before another value is written
            return conflict;
        }
        reader[cell] = NO_AGENT;
        moreReaders[cell] = null;
        elementReads.set(cell, null);
        return conflict;
    }

    private @Nullable Conflict afterReaders(int cell, Agent agent) {
        Conflict conflict = reader[cell] == NO_AGENT ? null : afterReader(cell, reader[cell], readStep[cell], agent);
        int[] more = moreReaders[cell];
        for (int i = 0; conflict == null && more != null && i < more.length; i += 2) {
            conflict = afterReader(cell, more[i], more[i + 1], agent);
        }
        List<ElementRead> reads = elementReads.get(cell);
        if (conflict == null && reads != null) {
            for (ElementRead read : reads) {
                if (!isSameStep(read.agent(), read.step(), agent) && !read.happensBefore(agent)) {
                    return afterReader(cell, read.agent(), read.step(), agent);
                }
            }
        }
        return conflict;
    }

    private @Nullable Conflict afterReader(int cell, int other, int otherStep, Agent agent) {
        return isSameStep(other, otherStep, agent) || agent.isAfterRead(other, otherStep)
                ? null
                : new Conflict(rank, letter, cell, other, otherStep, false, agent.index(), agent.step(), true);
    }

    /** An operation reads an element before it writes it. */
    private static boolean isSameStep(int other, int otherStep, Agent agent) {
        return other == agent.index() && otherStep == agent.step();
    }
}
