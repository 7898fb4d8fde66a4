package org.mscclj.cli.stress.rank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A rank that {@code mscclj stress} starts as a process of its own, and tells what to do by lines on its standard input, whose end ends it. */
@Command(name = "rank", hidden = true, header = "A rank of mscclj stress, which starts it.")
public final class StressRankCommand implements Callable<Integer> {
    private static final String FINISH = "finish";
    private static final String END = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public StressRankCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        StressRank rank = new StressRank(report -> {
            out.println(report.line());
            out.flush();
        });
        LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("mscclj-stress-input").start(() -> read(rank, lines));
        for (String line = lines.take(); !line.equals(END); line = lines.take()) {
            rank.obey(line.split(" ", -1));
        }
        return 0;
    }

    private static void read(StressRank rank, LinkedBlockingQueue<String> lines) {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals(FINISH)) {
                    rank.finish();
                } else {
                    lines.add(line);
                }
            }
        } catch (IOException _) {
            // as if it had ended
        }
        lines.add(END);
    }
}
