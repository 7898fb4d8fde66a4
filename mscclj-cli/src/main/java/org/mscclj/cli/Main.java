package org.mscclj.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Platform;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.conformance.ConformanceCommand;
import org.mscclj.cli.debug.DebugCommand;
import org.mscclj.cli.explain.ExplainCommand;
import org.mscclj.cli.info.InfoCommand;
import org.mscclj.cli.launch.LaunchCommand;
import org.mscclj.cli.launch.RankFailures;
import org.mscclj.cli.launch.SameCommand;
import org.mscclj.cli.options.AlgorithmName;
import org.mscclj.cli.options.Durations;
import org.mscclj.cli.options.Usage;
import org.mscclj.cli.perf.PerfCommand;
import org.mscclj.cli.plan.PlanCommand;
import org.mscclj.cli.report.TextTarget;
import org.mscclj.cli.run.RunCommand;
import org.mscclj.cli.selftest.SelftestCommand;
import org.mscclj.cli.simulate.SimulateCommand;
import org.mscclj.cli.stress.StressCommand;
import org.mscclj.cli.tune.TuneCommand;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.runtime.environment.EnvironmentCheck;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code mscclj} command. Each failure prints one line on the standard error and sets the exit code. */
@Command(
        name = "mscclj",
        header = "GPU collective communication for the JVM.",
        description = "",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.Version.class,
        subcommands = {
            RunCommand.class,
            PerfCommand.class,
            TuneCommand.class,
            ExplainCommand.class,
            LaunchCommand.class,
            InfoCommand.class,
            ConformanceCommand.class,
            PlanCommand.class,
            DebugCommand.class,
            SimulateCommand.class,
            SelftestCommand.class,
            StressCommand.class,
            HelpCommand.class
        })
public final class Main implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int BAD_USAGE = 2;
    private static final int HELP_WIDTH = 100;
    private static final String NAME = "mscclj: ";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Print stack traces of failures.")
    private boolean debug;

    private Main() {}

    @Override
    public Integer call() {
        throw Usage.wrong(
                spec,
                "a command is missing; use one of "
                        + String.join(", ", spec.subcommands().keySet()));
    }

    /**
     * Runs the command and ends the VM with its exit code, even if threads are still running.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(execute(
                args,
                new PrintWriter(System.out, true, System.out.charset()),
                new PrintWriter(System.err, true, System.err.charset())));
    }

    /**
     * Runs the command.
     *
     * @param args the command line
     * @param out receives results
     * @param err receives progress, notes and failures
     * @return the exit code: 0 for success, 1 for a failure, 2 for bad usage
     */
    public static int execute(String[] args, PrintWriter out, PrintWriter err) {
        CommandLine mscclj = commandLine(out, err);
        try {
            int code = mscclj.execute(args);
            return out.checkError() ? lost(code, err) : code;
        } catch (OutOfMemoryError e) {
            err.println(NAME + "out of memory (" + e.getMessage()
                    + "); choose a smaller size, or give Java more memory: JAVA_TOOL_OPTIONS=-Xmx8g");
            err.flush();
            return FAILED;
        }
    }

    /** Creates the command with its subcommands, before it parses any arguments. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        Main main = new Main();
        CommandLine mscclj = new CommandLine(main);
        // Arguments after the name of a program belong to that program.
        mscclj.getSubcommands().forEach((name, command) -> command.setStopAtPositional(name.equals("launch")));
        // Not in the annotation, where subcommands would inherit it.
        mscclj.getCommandSpec()
                .usageMessage()
                .footer(
                        "",
                        "In a checkout, ./mscclj dist makes an archive that runs without Java; see ./mscclj"
                                + " dist --help.");
        mscclj.setOut(out)
                .setErr(err)
                .setUsageHelpWidth(HELP_WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Collective.class, converter(Collective::parse))
                .registerConverter(DataType.class, converter(DataType::parse))
                .registerConverter(ReduceOp.class, converter(ReduceOp::parse))
                .registerConverter(Duration.class, converter(Durations::parse))
                .registerConverter(TextTarget.class, converter(isFirst() ? TextTarget::parse : TextTarget::new))
                .registerConverter(Mode.class, converter(Mode::parse))
                .registerConverter(AlgorithmName.class, converter(AlgorithmName::parse))
                .registerConverter(ShippedProgram.class, converter(ShippedProgram::parse))
                .registerConverter(Depth.class, converter(Depth::parse))
                .setExecutionStrategy(main::execute)
                .setParameterExceptionHandler(main::badUsage)
                .setExecutionExceptionHandler((e, command, parsed) -> main.failed(e, command));
        return mscclj;
    }

    /**
     * Checks the environment variables, then runs the command.
     *
     * @throws ParameterException if a variable has a bad value
     */
    private int execute(ParseResult parsed) {
        @Nullable Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        CommandLine command = parsed.asCommandLineList().getLast();
        Optional<String> warning = command.getCommandName().equals("info")
                ? environmentForInfo()
                : Usage.checked(command.getCommandSpec(), EnvironmentCheck::ofProcess);
        warning.filter(_ -> isFirst() && !SameCommand.hasStartedThis()).ifPresent(text -> {
            command.getErr().println("warning: " + text);
            command.getErr().flush();
        });
        return new CommandLine.RunLast().execute(parsed);
    }

    /**
     * Checks the environment variables for the command {@code info}, which shows variables and backends. Returns a
     * warning for a bad value, instead of throwing.
     */
    private static Optional<String> environmentForInfo() {
        try {
            return EnvironmentCheck.ofProcess();
        } catch (InvalidArgumentException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /** Reports that the output is incomplete. The exit code of an earlier failure is kept. */
    private static int lost(int code, PrintWriter err) {
        err.println(NAME
                + "the standard output could not be written completely, so results are missing: its target is"
                + " full, closed or broken");
        err.flush();
        return code == 0 ? FAILED : code;
    }

    private static <T> ITypeConverter<T> converter(Function<String, T> parser) {
        return text -> {
            try {
                return parser.apply(text);
            } catch (InvalidArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }

    private int badUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        printFailure(command, name + ": " + reason(e, args) + " (see " + name + " --help)", e);
        return BAD_USAGE;
    }

    /**
     * Returns what to change in the command line. An unknown option is reported before a missing argument, since it is
     * the more likely mistake.
     */
    private static String reason(ParameterException e, String[] args) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        Optional<String> unknown = Arrays.stream(args)
                .takeWhile(arg -> !arg.equals("--"))
                .map(arg -> arg.split("=", 2)[0])
                .filter(arg -> arg.startsWith("--") && arg.length() > 2)
                .filter(arg -> !command.optionsMap().containsKey(arg)
                        && !command.negatedOptionsMap().containsKey(arg))
                .findFirst();
        if (unknown.isPresent() && !(e.getCause() instanceof TypeConversionException)) {
            return "there is no option " + unknown.get() + "; options: "
                    + String.join(", ", new TreeSet<>(command.optionsMap().keySet()));
        }
        if (e instanceof UnmatchedArgumentException unmatched
                && !command.subcommands().isEmpty()) {
            return "there is no command " + unmatched.getUnmatched().getFirst() + "; use one of "
                    + String.join(", ", new TreeSet<>(command.subcommands().keySet()));
        }
        return String.valueOf(e.getMessage());
    }

    private int failed(Exception e, CommandLine command) {
        printFailure(
                command,
                beginning()
                        + (e instanceof MsccljException
                                ? e.getMessage()
                                : "internal error: " + e + "; please report it"),
                e);
        return FAILED;
    }

    /** Whether this process writes files and reports results of all ranks: only rank 0 does. */
    private static boolean isFirst() {
        try {
            return CommunicatorOptions.detect(System.getenv())
                    .map(rank -> rank.rank() == 0)
                    .orElse(true);
        } catch (InvalidArgumentException e) {
            return true; // the code that uses the environment reports its errors
        }
    }

    /**
     * Returns the prefix of a failure: the rank of this process, so that failures of several ranks can be
     * distinguished.
     */
    private static String beginning() {
        try {
            return CommunicatorOptions.detect(System.getenv())
                    .map(rank -> RankFailures.beginning(rank.rank()))
                    .orElse(NAME);
        } catch (InvalidArgumentException e) {
            return NAME; // the code that uses the environment reports its errors
        }
    }

    private void printFailure(CommandLine command, String message, Exception e) {
        command.getErr().println(PlainText.escape(message.replaceAll("\\s*\\R\\s*", "; ")));
        if (debug) {
            e.printStackTrace(command.getErr());
        }
        command.getErr().flush();
    }

    /** Reads the version of the runtime that this command contains. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"mscclj " + Platform.instance().version() + ", Java " + Runtime.version()};
        }
    }
}
