import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
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
 * An allreduce over two binary trees of nodes. Each rank sums a part over its node; equal ranks of all nodes sum these
 * parts up a tree, piece by piece, and the results come down again; each rank stores them at its peers. Even thread
 * blocks use a tree in the order of nodes, odd ones the same tree in the opposite order, whose inner nodes are leaves
 * of the first if the number of nodes is even.
 */
final class TreeAllReduce {
    private final ProgramBuilder program;
    private final List<Buffer> scratch;
    private final int nodes;
    private final int perNode;
    private final int block;
    private final int blocks;
    private final int pieces;
    private final int node;
    private final int local;
    private final Rank rank;
    private final Map<Integer, MemoryChannel> peers = new HashMap<>();

    private TreeAllReduce(
            ProgramBuilder program,
            List<Buffer> scratch,
            int nodes,
            int perNode,
            int blocks,
            int pieces,
            int rankNumber,
            int block) {
        this.program = program;
        this.scratch = scratch;
        this.nodes = nodes;
        this.perNode = perNode;
        this.blocks = blocks;
        this.pieces = pieces;
        this.block = block;
        this.node = rankNumber / perNode;
        this.local = rankNumber % perNode;
        this.rank = program.rank(rankNumber);
        for (int distance = 1; distance < perNode; distance++) {
            int peer = (local + distance) % perNode;
            peers.put(peer, program.memoryChannel(node * perNode + peer, rankNumber));
        }
    }

    /**
     * In place.
     *
     * @param blocks thread blocks of each rank
     * @param pieces pieces of the part of a block, which follow each other up and down the tree
     */
    static CollectiveProgram of(int nodes, int perNode, int blocks, int pieces) {
        AlgoSpec spec = AlgoSpec.builder(
                        "tree_" + nodes + "x" + perNode + "_" + blocks + "_" + pieces,
                        new ProgramCollective(
                                Collective.ALLREDUCE, nodes * perNode, perNode * blocks * pieces, true))
                .ranksPerNode(perNode)
                .doubleScratch(true)
                .build();
        return CollectiveProgram.define(spec, program -> {
            List<Buffer> scratch = program.ranks().stream()
                    .map(rank -> program.scratch(rank.id(), (perNode + 2) * blocks * pieces))
                    .toList();
            for (int rank = 0; rank < nodes * perNode; rank++) {
                for (int block = 0; block < blocks; block++) {
                    new TreeAllReduce(program, scratch, nodes, perNode, blocks, pieces, rank, block).write();
                }
            }
        });
    }

    private void write() {
        sumOverNode();
        List<PortChannel> children = children().stream().map(this::channel).toList();
        List<PortChannel> parents = place() == 0 ? List.of() : List.of(channel((place() - 1) / 2));
        for (int piece = 0; piece < pieces; piece++) {
            up(piece, children, parents);
        }
        for (int piece = 0; piece < pieces; piece++) {
            for (PortChannel parent : parents) {
                parent.await(block, SyncType.AFTER);
                down(piece, children);
            }
            storeAtPeers(piece);
        }
        signalPeers();
    }

    private void sumOverNode() {
        peers.forEach((peer, channel) ->
                channel.put(contribution(channel.destination(), local), part(rank, peer, 0, pieces), block));
        signalPeers();
        Chunk own = part(rank, local, 0, pieces);
        List<Chunk> others = new ArrayList<>();
        peers.keySet().forEach(peer -> others.add(contribution(rank.id(), peer)));
        rank.reduce(own, others, block);
    }

    private void up(int piece, List<PortChannel> children, List<PortChannel> parents) {
        Chunk sum = part(rank, local, piece, 1);
        if (!children.isEmpty()) {
            children.forEach(child -> child.await(block, SyncType.AFTER));
            rank.reduce(
                    sum,
                    IntStream.range(0, children.size())
                            .mapToObj(child -> arrival(rank.id(), child, piece))
                            .toList(),
                    block);
        }
        for (PortChannel parent : parents) {
            parent.putWithSignal(arrival(parent.destination(), (place() - 1) % 2, piece), sum, block);
        }
        if (parents.isEmpty()) {
            down(piece, children);
        }
    }

    private void down(int piece, List<PortChannel> children) {
        for (PortChannel child : children) {
            child.putWithSignal(
                    part(program.rank(child.destination()), local, piece, 1), part(rank, local, piece, 1), block);
        }
    }

    private void storeAtPeers(int piece) {
        peers.forEach((_, channel) -> channel.put(
                part(program.rank(channel.destination()), local, piece, 1), part(rank, local, piece, 1), block));
    }

    private void signalPeers() {
        peers.forEach((_, channel) -> channel.signal(block, SyncType.BEFORE));
        peers.forEach((_, channel) -> channel.await(block, SyncType.AFTER));
    }

    /** The place of this node in the tree, whose root is place 0. */
    private int place() {
        return nodeAt(node);
    }

    /** The node at a place, and the place of a node. */
    private int nodeAt(int place) {
        return block % 2 == 0 ? place : nodes - 1 - place;
    }

    private List<Integer> children() {
        return IntStream.of(2 * place() + 1, 2 * place() + 2)
                .filter(child -> child < nodes)
                .boxed()
                .toList();
    }

    private PortChannel channel(int place) {
        return program.portChannel(nodeAt(place) * perNode + local, rank.id());
    }

    private Chunk part(Rank of, int ofLocal, int piece, int count) {
        return of.output().chunk((ofLocal * blocks + block) * pieces + piece).resized(count);
    }

    private Chunk contribution(int of, int from) {
        return scratch.get(of).chunk((from * blocks + block) * pieces).resized(pieces);
    }

    private Chunk arrival(int of, int child, int piece) {
        return scratch.get(of).chunk(((perNode + child) * blocks + block) * pieces + piece);
    }
}
