package org.mscclj.cli.ranks;

import java.util.List;

/** Exchanges messages between all ranks. Every rank calls it equally often, from one thread. */
interface RankExchange {
    /**
     * Gathers a message of every rank, and returns when all have arrived.
     *
     * @return the messages, by rank
     * @throws org.mscclj.api.error.MsccljException if a rank failed
     */
    List<byte[]> allGather(byte[] own);
}
