import java.util.List;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.Chunk;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.PortChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.SyncType;

/**
 * An allreduce around rings through all ranks of all nodes. Each ring has its own thread block and its own part of the
 * buffer. Ring {@code r} enters a node at local rank {@code r} and leaves it at the one before, so that eight rings
 * use the network cards of eight ranks.
 */
final class RingAllReduce {
    private final ProgramBuilder program;
    private final int perNode;
    private final int ring;
    private final int rings;
    private final int position;
    private final int ranks;
    private final List<Buffer> scratch;
    private final Rank rank;
    private final Rank next;
    private final Link out;
    private final Link in;

    private RingAllReduce(
            ProgramBuilder program, List<Buffer> scratch, int perNode, int ring, int rings, int position) {
        this.scratch = scratch;
        this.program = program;
        this.perNode = perNode;
        this.ring = ring;
        this.rings = rings;
        this.position = position;
        this.ranks = program.ranks().size();
        this.rank = rankAt(position);
        this.next = rankAt(position + 1);
        this.out = link(next);
        this.in = link(rankAt(position + ranks - 1));
    }

    /** In place. Every step has its own slot of scratch. */
    static CollectiveProgram of(int nodes, int perNode, int rings) {
        int ranks = nodes * perNode;
        AlgoSpec spec = AlgoSpec.builder(
                        "ring_" + nodes + "x" + perNode + "_" + rings, ProgramCollective.allReduce(ranks, rings, true))
                .ranksPerNode(perNode)
                .doubleScratch(true)
                .build();
        return CollectiveProgram.define(spec, program -> {
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), rings * (ranks - 1)))
                    .toList();
            for (int ring = 0; ring < rings; ring++) {
                for (int position = 0; position < ranks; position++) {
                    new RingAllReduce(program, scratch, perNode, ring, rings, position).write();
                }
            }
        });
    }

    /** The partial sum of each chunk goes around once and is then the result, which goes around again. */
    private void write() {
        int steps = ranks - 1;
        for (int step = 0; step < steps; step++) {
            out.send(slot(next, step), chunk(rank, position - step));
            in.await();
            Chunk sum = chunk(rank, position - step - 1);
            rank.reduce(sum, List.of(slot(rank, step)), ring);
        }
        for (int step = 0; step < steps; step++) {
            out.send(chunk(next, position + 1 - step), chunk(rank, position + 1 - step));
            in.await();
        }
    }

    private Rank rankAt(int anyPosition) {
        int place = anyPosition % ranks;
        return program.rank(place / perNode * perNode + (place + ring) % perNode);
    }

    private Chunk chunk(Rank of, int number) {
        return of.output().chunk(Math.floorMod(number, ranks) * rings + ring);
    }

    private Chunk slot(Rank of, int step) {
        return scratch.get(of.id()).chunk(ring * (ranks - 1) + step);
    }

    private Link link(Rank peer) {
        if (peer.id() / perNode == rank.id() / perNode) {
            MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
            return new Link() {
                @Override
                public void send(Chunk to, Chunk from) {
                    channel.put(to, from, ring);
                    channel.signal(ring, SyncType.BEFORE);
                }

                @Override
                public void await() {
                    channel.await(ring, SyncType.AFTER);
                }
            };
        }
        PortChannel channel = program.portChannel(peer.id(), rank.id());
        return new Link() {
            @Override
            public void send(Chunk to, Chunk from) {
                channel.putWithSignal(to, from, ring);
            }

            @Override
            public void await() {
                channel.await(ring, SyncType.AFTER);
            }
        };
    }

    /** To a neighbour on the same node or on another one. */
    private interface Link {
        void send(Chunk to, Chunk from);

        void await();
    }
}
