package org.mscclj.plan.language;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.BlockShare;

/**
 * Thread blocks of a rank that carry out operations together: each takes an equal share of every range of bytes.
 *
 * @param blocks ids of the blocks, distinct; the first takes the first share
 */
public record ThreadBlockGroup(List<Integer> blocks) {
    /** Checks and copies the list. */
    public ThreadBlockGroup {
        blocks = List.copyOf(blocks);
        if (blocks.isEmpty()
                || new HashSet<>(blocks).size() != blocks.size()
                || blocks.stream().anyMatch(id -> id < 0)) {
            throw InvalidArgumentException.of("blocks of a group", blocks, "one or more distinct ids from 0 on");
        }
    }

    /** A group of these blocks. */
    public static ThreadBlockGroup of(Collection<Integer> blocks) {
        return new ThreadBlockGroup(List.copyOf(blocks));
    }

    /** A group of blocks {@code 0} to {@code count - 1}. */
    public static ThreadBlockGroup first(int count) {
        return new ThreadBlockGroup(IntStream.range(0, count).boxed().toList());
    }

    BlockShare share(int block) {
        return new BlockShare(blocks.indexOf(block), blocks.size());
    }
}
