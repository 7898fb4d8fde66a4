/**
 * The language in which collective algorithms are written: the vocabulary of {@code mscclpp.language}, MSCCL++'s DSL,
 * as values. A {@link org.mscclj.plan.language.CollectiveProgram} is defined by a function that says, for all ranks,
 * what each thread block does; compiled, it is an execution plan, which MSCCL++ reads too.
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
 * <p>What is wrong throws an {@link org.mscclj.api.error.InvalidArgumentException} at the line that says it, with
 * program, rank, block and chunks; what only the whole program shows, such as a signal that nobody waits for, throws
 * where the program is defined, and names that line. A definition runs in the thread that calls it, and what it is
 * given may be used only there and then; programs and specifications are immutable.
 */
package org.mscclj.plan.language;
