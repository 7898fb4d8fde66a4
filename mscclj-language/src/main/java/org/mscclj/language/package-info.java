/**
 * The language of collective algorithms: the vocabulary of {@code mscclpp.language}, MSCCL++'s DSL, in Java. A
 * {@link org.mscclj.language.CollectiveProgram} is defined by a function that records, for all ranks, the operations of
 * each thread block. It compiles to an execution plan, which MSCCL++ can also read.
 *
 * <pre>{@code
 * AlgoSpec spec = AlgoSpec.builder("allgather_pairs", ProgramCollective.allGather(2, 1, true)).build();
 * Plan plan = CollectiveProgram.define(spec, program -> {
 *     for (Rank rank : program.ranks()) {
 *         Rank peer = program.rank(1 - rank.id());
 *         MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
 *         channel.relaxedSignal(0);
 *         channel.relaxedAwait(0, SyncType.AFTER);
 *         channel.put(peer.output().chunk(rank.id()), rank.output().chunk(rank.id()), 0);
 *         channel.signal(0, SyncType.BEFORE);
 *         channel.await(0, SyncType.AFTER);
 *     }
 * }).compile();
 * }</pre>
 *
 * <p>A wrong call throws an {@link org.mscclj.api.error.InvalidArgumentException} that names program, rank, block and
 * chunks. A fault that only the whole program shows, such as a signal without a wait, throws from the definition of the
 * program and names the line. A definition runs on the calling thread, and its builder is valid only during that call;
 * programs and specifications are immutable.
 */
package org.mscclj.language;
