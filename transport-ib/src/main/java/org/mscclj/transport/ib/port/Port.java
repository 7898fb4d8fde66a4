package org.mscclj.transport.ib.port;

import java.util.OptionalInt;
import org.mscclj.transport.ib.ffm.Gid;
import org.mscclj.transport.ib.ffm.PortAttributes;

/**
 * A port that can be used.
 *
 * @param adapter the name of its adapter
 * @param number its number, from 1
 * @param attributes its state
 * @param gidIndex the entry of the table of GIDs that names this side
 * @param gid that entry
 * @param partitionIndex the entry of the table of partition keys
 * @param numaNode the NUMA node of the adapter; empty if unknown
 */
public record Port(
        String adapter,
        int number,
        PortAttributes attributes,
        int gidIndex,
        Gid gid,
        int partitionIndex,
        OptionalInt numaNode) {
    /** Names the port in messages, for example {@code mlx5_0:1}. */
    public String name() {
        return adapter + ":" + number;
    }
}
