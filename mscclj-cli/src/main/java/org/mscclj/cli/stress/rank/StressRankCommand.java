package org.mscclj.cli.stress.rank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The hidden command that {@code mscclj stress} starts as a rank. It reads commands as lines from its standard input,
 * and ends with the end of the input in any state.
 */
@Command(name = "rank", hidden = true, header = "A rank of mscclj stress, which starts it.")
public final class StressRankCommand implements Callable<Integer> {
    private static final String FINISH = "finish";
    private static final String STACKS = "stacks";
    private static final String END = "";

    /** Time limit to end a running call. */
    private static final Duration ENDING = Duration.ofSeconds(10);

    private static final int HALTED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Called by picocli. */
    public StressRankCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Consumer<RankReport> reports = report -> {
            out.println(report.line());
            out.flush();
        };
        StressRank rank = new StressRank(reports);
        LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        CountDownLatch ended = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("mscclj-stress-input").start(() -> {
            try {
                read(rank, reports, lines);
            } finally { // an abort that fails may throw anything
                haltUnless(ended);
            }
        });
        for (String line = lines.take(); !line.equals(END); line = lines.take()) {
            rank.execute(line.split(" ", -1));
        }
        ended.countDown();
        return 0;
    }

    private static void read(StressRank rank, Consumer<RankReport> reports, LinkedBlockingQueue<String> lines) {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals(FINISH)) {
                    rank.finish();
                } else if (line.equals(STACKS)) {
                    reports.accept(Stacks.report());
                } else {
                    lines.add(line);
                }
            }
        } catch (IOException _) {
            // as for an ended rank
        }
        lines.add(END);
        rank.abandon();
    }

    /** Ends the VM if an abort does not end the running call, so that the rank does not outlive its parent. */
    private static void haltUnless(CountDownLatch ended) {
        try {
            if (!ended.await(ENDING.toNanos(), TimeUnit.NANOSECONDS)) {
                Runtime.getRuntime().halt(HALTED);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
