package org.mscclj.cli.stress;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.objects.ObjectCodec;
import org.mscclj.objects.ObjectCollectives;

/**
 * A scenario that broadcasts, gathers and scatters objects of random sizes, some of them empty, with each rank as the
 * root in turn.
 *
 * @param seed the seed of the objects
 */
record ObjectExchanges(long seed) implements Scenario {
    private static final int ROUNDS = 12;
    private static final int LARGEST = 300_000;

    @Override
    public String run(LocalGroupOptions options) {
        long start = System.nanoTime();
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(this::exchange);
        }
        return String.format(
                Locale.ROOT,
                "%d rounds of broadcast, allgather, gather and scatter in %.1f s",
                ROUNDS,
                (System.nanoTime() - start) / 1e9);
    }

    private void exchange(Communicator communicator) {
        ObjectCollectives objects = ObjectCollectives.over(communicator);
        int rank = communicator.rank();
        int ranks = communicator.size();
        for (int round = 0; round < ROUNDS; round++) {
            int root = round % ranks;
            byte[] ofRoot = object(round, root);
            List<byte[]> ofAll = objectsOf(round, ranks);
            require(
                    "broadcast",
                    round,
                    List.of(objects.broadcast(root, ObjectCodec.bytes(), () -> ofRoot)),
                    List.of(ofRoot));
            require("allgather", round, objects.allGather(ofAll.get(rank), ObjectCodec.bytes()), ofAll);
            require(
                    "gather",
                    round,
                    objects.gather(root, ofAll.get(rank), ObjectCodec.bytes()),
                    rank == root ? ofAll : List.of());
            require(
                    "scatter",
                    round,
                    List.of(objects.scatter(root, ObjectCodec.bytes(), () -> ofAll)),
                    List.of(ofAll.get(rank)));
        }
    }

    private List<byte[]> objectsOf(int round, int ranks) {
        return IntStream.range(0, ranks).mapToObj(rank -> object(round, rank)).toList();
    }

    private byte[] object(int round, int rank) {
        Random random = new Random(seed + 1000L * round + rank);
        byte[] bytes = new byte[(round + rank) % 5 == 0 ? 0 : random.nextInt(LARGEST)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void require(String what, int round, List<byte[]> actual, List<byte[]> right) {
        boolean equal = actual.size() == right.size()
                && IntStream.range(0, right.size()).allMatch(i -> Arrays.equals(actual.get(i), right.get(i)));
        if (!equal) {
            throw new IllegalStateException(what + " in round " + round + " gave objects of " + sizes(actual)
                    + " bytes, expected are those of " + sizes(right) + ", or their bytes differ");
        }
    }

    private static List<Integer> sizes(List<byte[]> objects) {
        return objects.stream().map(bytes -> bytes.length).toList();
    }
}
