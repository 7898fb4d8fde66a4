package org.mscclj.conformance.worker;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.rank.RankRun;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.BusyCarriers;
import org.mscclj.conformance.task.TimeLimits;

/** The main class of a rank that is a process of its own. */
public final class RankProcess {
    /** The prefix of every line from a rank. */
    public static final String MARK = "mscclj-conformance ";

    private final CommunicatorOptions options;
    private final Duration timeout;
    private final BufferedReader in;
    private final PrintStream out;

    private RankProcess(CommunicatorOptions options, Duration timeout, BufferedReader in, PrintStream out) {
        this.options = options;
        this.timeout = timeout;
        this.in = in;
        this.out = out;
    }

    /**
     * Runs until the input ends.
     *
     * @param args rank, number of ranks, ranks on each node or that number, timeout of an operation in milliseconds,
     *     the backend's name or "-", the kind of group, and whether virtual threads keep all carriers busy
     * @throws IOException if the input cannot be read
     */
    public static void main(String[] args) throws IOException {
        int world = Integer.parseInt(args[1]);
        int ranksPerNode = Integer.parseInt(args[2]);
        Duration timeout = Duration.ofMillis(Long.parseLong(args[3]));
        GroupKind kind = GroupKind.valueOf(args[5]);
        CommunicatorOptions options = CommunicatorOptions.rank(Integer.parseInt(args[0]), world)
                .timeout(kind.timeout(timeout))
                .name("conformance")
                .strictHints(kind.refusesHints());
        if (ranksPerNode < world) {
            options = options.ranksPerNode(ranksPerNode);
        }
        if (kind.comparesCalls()) {
            options = options.compareCalls(true);
        }
        if (!args[4].equals("-")) {
            options = options.backend(args[4]);
        }
        if (Boolean.parseBoolean(args[6])) {
            var _ = BusyCarriers.hold(); // until this process ends
        }
        int code;
        // Uses the descriptors directly: these lines are not the output of a library, but the connection to the process
        // that started this one.
        try (BufferedReader in = new BufferedReader(
                        new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
                PrintStream out =
                        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)) {
            code = new RankProcess(options, timeout, in, out).serve() ? 0 : 1;
        }
        System.exit(code);
    }

    /** Serves the input; returns whether nothing failed, including the close. */
    private boolean serve() throws IOException {
        try {
            String line = in.readLine();
            if ("create".equals(line)) {
                say("id " + UniqueId.create().text());
                line = in.readLine();
            }
            if (line == null || !line.startsWith("join ")) {
                return true;
            }
            try (Communicator communicator = Communicator.open(options.uniqueId(UniqueId.parse(line.substring(5))))) {
                say("ready");
                tryCases(communicator);
            }
            return true;
        } catch (MsccljException e) {
            say("failed " + String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", "; "));
            return false;
        }
    }

    private void tryCases(Communicator communicator) throws IOException {
        for (String line = in.readLine(); line != null && line.startsWith("case "); line = in.readLine()) {
            TestCase test = TestCase.parse(line.substring(5));
            RankVerdict verdict = RankRun.runWithin(
                    TimeLimits.ofCase(timeout, test.elements()),
                    communicator,
                    test,
                    Rules.find(test.rule()).check(),
                    timeout);
            say("verdict " + verdict.line());
        }
    }

    private void say(String line) {
        out.println(MARK + line);
    }
}
