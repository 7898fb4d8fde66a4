package org.mscclj.plan;

/**
 * A thread block's share of an operation that a group of blocks executes together: byte ranges are divided evenly among
 * {@code groupSize} blocks, and this block handles part {@code member}.
 *
 * @param member position in the group, from 0 ({@code tb_id} in plan files)
 * @param groupSize number of blocks in the group ({@code tbg_size})
 */
public record BlockShare(int member, int groupSize) {
    /** The share of a block that works alone. */
    public static final BlockShare WHOLE = new BlockShare(0, 1);
}
