import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.DataType;

/**
 * One of two ranks that transport tcp connects, on a guest of its own. Meets a fault, and fails if the fault has no
 * effect or a wrong one.
 *
 * <pre>{@code
 * TcpFaults loss SECONDS MILLIS   all sums and messages are right; the delays of a round trip are known
 * TcpFaults cut SECONDS TIMEOUT   a timeout in seconds ends an operation during a cut
 * TcpFaults silence SECONDS       during a cut, keep-alives detect a loss although data waits for an acknowledgement
 * TcpFaults power                 keep-alives detect that node 1 loses power
 * }</pre>
 */
public final class TcpFaults implements AutoCloseable {
    /** Numbers of elements of 4 bytes, which rounds have in turn. */
    private static final int[] COUNTS = {2, 1 << 10, 1 << 14, 1 << 16};

    /** How late a guest may be, which has no processor of its own. */
    private static final double MARGIN_SECONDS = 10;

    /** How long a rank that closes waits for a peer that does not answer. */
    private static final double GOODBYE_SECONDS = 5;

    /** After this time, all data of earlier operations has arrived and is acknowledged. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private static final Duration LONG_TIMEOUT = Duration.ofMinutes(10);

    private final Communicator communicator = Communicator.open();
    private final int rank = communicator.rank();
    private final int peer = 1 - rank;
    private final TypedBuffer sums = largest();
    private final TypedBuffer sent = largest();
    private final TypedBuffer received = largest();

    private TcpFaults() {}

    public static void main(String[] arguments) throws Exception {
        int[] numbers = Stream.of(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
        try (var rank = new TcpFaults()) {
            switch (arguments[0]) {
                case "loss" -> rank.loss(numbers[0], numbers[1]);
                case "cut" -> rank.cut(numbers[0], numbers[1]);
                case "silence" -> rank.silence(numbers[0]);
                case "power" -> rank.power();
                default -> throw new IllegalArgumentException("the fault '" + arguments[0] + "' is not known");
            }
        }
    }

    private void loss(int length, int trip) {
        rounds(); // the first call of a size sets it up
        double fastest = Double.POSITIVE_INFINITY;
        double slowest = 0;
        int rounds = 0;
        var start = new Clock();
        boolean more = true;
        while (more) {
            var begin = new Clock();
            more = round(rounds++, start.seconds() < length);
            double seconds = begin.seconds();
            fastest = Math.min(fastest, seconds);
            slowest = Math.max(slowest, seconds);
        }
        double seconds = start.seconds();
        // The sum needs data of the peer, and the peer sends its message when it has the sum.
        check(fastest * 1000 >= trip, "a round takes %.0f ms, less than the delays, %d ms", fastest * 1000, trip);
        check(rounds >= COUNTS.length, "%d rounds in %.1f s do not have all sizes", rounds, seconds);
        say(
                "loss: in %.1f s, %d sums and %d messages of 8 B to 256 KiB are right; a round takes %.0f to %.0f ms",
                seconds, rounds, rounds, fastest * 1000, slowest * 1000);
    }

    private void cut(int length, int timeout) throws Exception {
        var start = cut(length);
        var work = sum(Duration.ofSeconds(timeout));
        OperationTimeoutException reason;
        try {
            work.join();
            throw new IllegalStateException("an allreduce has ended during a cut");
        } catch (OperationTimeoutException e) {
            reason = e;
        }
        double seconds = start.seconds();
        String text = reason.getMessage();
        check(
                reason.missingRanks().equals(List.of(peer)) && text.contains("rank " + peer + ": no answer"),
                "the reason does not name rank %d alone, but %s: %s",
                peer,
                reason.missingRanks(),
                text);
        check(
                seconds >= timeout && seconds <= timeout + MARGIN_SECONDS,
                "a timeout of %d s ends an allreduce %.1f s after a cut: %s",
                timeout,
                seconds,
                text);
        check(!reached(), "node %d is reached during the cut", peer);
        var closing = new Clock();
        communicator.abort("the network is cut"); // or else closing waits for what is under way
        close();
        double closed = closing.seconds();
        check(closed <= GOODBYE_SECONDS + MARGIN_SECONDS, "after an abort, the communicator closes in %.1f s", closed);
        say(
                "cut: %.1f s after it, a timeout of %d s ends an allreduce; the communicator closes in %.1f s; the cut"
                        + " ends after %.1f s. %s",
                seconds, timeout, closed, end(start, length), text);
    }

    private void silence(int length) throws Exception {
        var start = cut(length);
        String loss = loss(start, sum(LONG_TIMEOUT)); // no byte of it is acknowledged
        say("silence: data waits for an acknowledgement, and %s; the cut ends after %.1f s", loss, end(start, length));
    }

    private void power() throws Exception {
        rounds();
        if (rank == 1) {
            Thread.sleep(Duration.ofMinutes(2));
            throw new IllegalStateException("this guest has not lost power");
        }
        var work = sum(LONG_TIMEOUT);
        Thread.sleep(QUIET);
        require("bed", "kill", "1");
        say("power: rank 0 waits, and %s", loss(new Clock(), work));
    }

    /** Cuts this node off for some seconds. Its peer cannot have sent data of later operations before. */
    private Clock cut(int length) throws Exception {
        rounds();
        Thread.sleep(QUIET);
        require("net", "cut", Integer.toString(length));
        return new Clock();
    }

    /** The seconds until both nodes have ended their cuts. */
    private double end(Clock start, int length) throws Exception {
        while (!reached()) {
            check(start.seconds() < length + 60, "a cut of %d s has not ended after %.1f s", length, start.seconds());
        }
        double seconds = start.seconds();
        check(seconds > length - 1, "a cut of %d s has ended after %.1f s", length, seconds);
        return seconds;
    }

    private Work sum(Duration timeout) {
        return communicator.execute(CollectiveCall.allReduce(sums, sums).timeout(timeout));
    }

    /** An operation ends by the loss of the peer, within the limit of keep-alives. Returns when, and why. */
    private String loss(Clock start, Work work) throws Exception {
        RankLostException reason;
        try {
            work.join();
            throw new IllegalStateException("an allreduce has ended without rank " + peer);
        } catch (RankLostException e) {
            reason = e;
        }
        double seconds = start.seconds();
        String text = reason.getMessage();
        int limit = Integer.parseInt(System.getenv("MSCCLJ_KEEPALIVE_SECONDS"));
        check(
                reason.rank() == peer && text.contains("rank " + peer + " is lost"),
                "the reason is not that rank %d is lost: %s",
                peer,
                text);
        check(
                seconds <= limit + MARGIN_SECONDS,
                "with a keep-alive of %d s, rank %d is lost after %.1f s: %s",
                limit,
                peer,
                seconds,
                text);
        // The end of a process is known at once.
        check(seconds >= limit / 3.0, "rank %d is lost after %.1f s already: %s", peer, seconds, text);
        check(!reached(), "node %d answers after its rank is lost", peer);
        return String.format(
                Locale.ROOT,
                "with a keep-alive of %d s and a timeout of %d s, rank %d is lost after %.1f s (%s)",
                limit,
                LONG_TIMEOUT.toSeconds(),
                peer,
                seconds,
                text);
    }

    private TypedBuffer largest() {
        return communicator.allocate(DataType.INT32, COUNTS[COUNTS.length - 1]);
    }

    /** A round of each size. */
    private void rounds() {
        for (int round = 0; round < COUNTS.length; round++) {
            round(round, true);
        }
    }

    /** A sum over both ranks, and then a message in each direction. Returns whether rank 0 wants more rounds. */
    private boolean round(int round, boolean wanted) {
        int count = COUNTS[round % COUNTS.length];
        int[] own = values(rank, round, count);
        int[] others = values(peer, round, count);
        int[] found = own.clone();
        found[0] = rank == 0 && wanted ? 1 : 0;
        var sum = sums.slice(0, count);
        sum.copyFrom(found);
        communicator.allReduce(sum).join();
        sum.copyTo(found);
        boolean more = found[0] == 1;
        for (int i = 1; i < count; i++) {
            check(found[i] == own[i] + others[i], "in round %d, sum %d of %d is wrong: %d", round, i, count, found[i]);
        }
        var out = sent.slice(0, count);
        var in = received.slice(0, count);
        out.copyFrom(own);
        communicator
                .execute(TransferCall.batch().send(out.bytes(), peer).receive(in.bytes(), peer))
                .join();
        in.copyTo(found);
        for (int i = 0; i < count; i++) {
            check(found[i] == others[i], "in round %d, element %d of %d is wrong: %d", round, i, count, found[i]);
        }
        return more;
    }

    /** What a rank contributes to a round, and sends in it. */
    private static int[] values(int rank, int round, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = (rank + 1) * (65_537 * round + 31 * i + 7);
        }
        return values;
    }

    private static boolean reached() throws IOException, InterruptedException {
        return status("ping", "-c", "1", "-W", "1", System.getenv("PEER")) == 0;
    }

    private static void require(String... command) throws IOException, InterruptedException {
        int status = status(command);
        check(status == 0, "'%s' has ended with %d", String.join(" ", command), status);
    }

    private static int status(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
    }

    private static void check(boolean right, String otherwise, Object... values) {
        if (!right) {
            throw new IllegalStateException(String.format(Locale.ROOT, otherwise, values));
        }
    }

    private static void say(String line, Object... values) {
        System.out.println(String.format(Locale.ROOT, line, values));
    }

    /** Seconds since its construction. */
    private static final class Clock {
        private final long start = System.nanoTime();

        double seconds() {
            return (System.nanoTime() - start) / 1e9;
        }
    }

    @Override
    public void close() {
        communicator.close(); // ends what is under way, which uses the buffers
        sums.close();
        sent.close();
        received.close();
    }
}
