package org.mscclj.spi.trace;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The trace of the blocks of one plan on one rank. One thread at a time sets it up; closing it writes a file. */
public final class ContextTrace implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(ContextTrace.class.getName());

    /** The number of operations that are kept for each block: some hundred kilobytes. */
    public static final int ENTRIES = 1 << 13;

    private final TraceFolder folder;
    private final String plan;
    private final int rank;
    private final List<String> operations = new ArrayList<>();
    private final Map<Integer, BlockTrace> blocks = new TreeMap<>();
    private boolean closed;

    ContextTrace(TraceFolder folder, String plan, int rank) {
        this.folder = folder;
        this.plan = plan;
        this.rank = rank;
    }

    /** The number of the operation with that name. */
    public synchronized int operation(String name) {
        int known = operations.indexOf(name);
        if (known < 0) {
            operations.add(name);
        }
        return known < 0 ? operations.size() - 1 : known;
    }

    /** The trace of a block; every call returns one object. */
    public synchronized BlockTrace block(int id) {
        return blocks.computeIfAbsent(id, _ -> new BlockTrace(ENTRIES));
    }

    /** The events, one a line. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(TraceLines.processName(rank));
        blocks.forEach((block, trace) -> {
            lines.add(TraceLines.threadName(rank, block));
            trace.read((operation, launch, start, end, bytes) -> lines.add(
                    TraceLines.event(operations.get(operation), plan, rank, block, launch, start, end, bytes)));
        });
        return lines;
    }

    /** Writes the trace. Launches must have ended. If the file cannot be written, the trace logs that. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed && !blocks.isEmpty()) {
            closed = true;
            try {
                Path file = folder.write(plan, rank, lines());
                LOGGER.log(Level.DEBUG, "traced plan {0} on rank {1} into {2}", plan, rank, file);
            } catch (IOException e) {
                LOGGER.log(
                        Level.WARNING,
                        "cannot write a trace into {0}, which {1} names: {2}; name a folder that this user may write",
                        folder.path(),
                        TraceFolder.VARIABLE,
                        e);
            }
        }
    }
}
