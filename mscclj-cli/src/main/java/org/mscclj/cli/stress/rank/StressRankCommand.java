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
 * A rank that {@code mscclj stress} starts as a process of its own, and tells what to do by lines on its standard
 * input, whose end ends it, whatever it is doing.
 */
@Command(name = "rank", hidden = true, header = "A rank of mscclj stress, which starts it.")
public final class StressRankCommand implements Callable<Integer> {
    private static final String FINISH = "finish";
    private static final String STACKS = "stacks";
    private static final String END = "";

    /** What it may take to end what was going on. */
    private static final Duration ENDING = Duration.ofSeconds(10);

    private static final int HALTED = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public StressRankCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Consumer<Report> reports = report -> {
            out.println(report.line());
            out.flush();
        };
        StressRank rank = new StressRank(reports);
        LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        CountDownLatch ended = new CountDownLatch(1);
        Thread.ofPlatform().daemon().name("mscclj-stress-input").start(() -> {
            try {
                read(rank, reports, lines);
            } finally { // whatever an abort that failed has thrown
                haltUnless(ended);
            }
        });
        for (String line = lines.take(); !line.equals(END); line = lines.take()) {
            rank.obey(line.split(" ", -1));
        }
        ended.countDown();
        return 0;
    }

    private static void read(StressRank rank, Consumer<Report> reports, LinkedBlockingQueue<String> lines) {
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
            // as if it had ended
        }
        lines.add(END);
        rank.abandon();
    }

    /** A rank whose operations do not hear of the abort must not outlive whom it works for. */
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
