package org.mscclj.language;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.BlockShare;

/**
 * Thread blocks of a rank that execute operations together: each handles an equal share of every range of bytes.
 *
 * @param blocks distinct ids of the blocks; the first handles the first share
 * @param working the blocks for which an operation is recorded: all, except in the group {@link #member of one member}
 */
public record ThreadBlockGroup(List<Integer> blocks, List<Integer> working) {
    /** Checks and copies the lists. */
    public ThreadBlockGroup {
        blocks = List.copyOf(blocks);
        working = List.copyOf(working);
        if (blocks.isEmpty()
                || new HashSet<>(blocks).size() != blocks.size()
                || blocks.stream().anyMatch(id -> id < 0)) {
            throw InvalidArgumentException.of("blocks of a group", blocks, "one or more distinct ids from 0 on");
        }
        if (working.isEmpty()
                || new HashSet<>(working).size() != working.size()
                || !new HashSet<>(blocks).containsAll(working)) {
            throw InvalidArgumentException.of(
                    "working blocks of a group", working, "one or more distinct ones of its blocks, " + blocks);
        }
    }

    /** A group of these blocks. */
    public static ThreadBlockGroup of(Collection<Integer> blocks) {
        return new ThreadBlockGroup(List.copyOf(blocks), List.copyOf(blocks));
    }

    /** A group of blocks {@code 0} to {@code count - 1}. */
    public static ThreadBlockGroup first(int count) {
        return of(IntStream.range(0, count).boxed().toList());
    }

    /**
     * The group for the operations of one member: records that block's share only. Each member can thus use its own
     * channel, with its own signals and waits; an operation is complete when every member has recorded it.
     */
    public ThreadBlockGroup member(int block) {
        return new ThreadBlockGroup(blocks, List.of(block));
    }

    BlockShare share(int block) {
        return new BlockShare(blocks.indexOf(block), blocks.size());
    }
}
