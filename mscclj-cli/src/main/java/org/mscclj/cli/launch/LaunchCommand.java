package org.mscclj.cli.launch;

import java.util.List;
import java.util.concurrent.Callable;
import org.mscclj.cli.launch.LaunchSettings.OnFailure;
import org.mscclj.cli.launch.LaunchSettings.Program;
import org.mscclj.cli.options.NodeOption;
import org.mscclj.cli.options.Usage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the command line of {@code mscclj launch}. */
@Command(
        name = "launch",
        sortOptions = false,
        header = "Start a program several times on this machine, each time as another rank.",
        description = {
            "",
            "Each process gets MSCCLJ_RANK, MSCCLJ_WORLD_SIZE, MSCCLJ_LOCAL_RANK, MSCCLJ_MASTER_ADDR, MSCCLJ_MASTER_PORT (a"
                    + " free port) and MSCCLJ_SECRET (random), with which its communicator finds the others. Output is"
                    + " passed on by lines; the standard input is rank 0's. Across machines use mpirun, torchrun or srun.",
            ""
        },
        footer = {
            "",
            "When a rank fails, the others get SIGTERM, and SIGKILL 5 s later; so they do on SIGINT, SIGTERM and SIGHUP. When"
                    + " the launcher is killed, so are they, and what they started.",
            "",
            "Exit codes: 0 all ranks ended with 0; else that of the first rank that failed, 128 + n after signal n; 2 bad"
                    + " usage."
        })
public final class LaunchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--ranks", required = true, paramLabel = "N", description = "Number of processes.")
    private int ranks;

    @Mixin
    private NodeOption nodes = new NodeOption();

    @Option(names = "--keep-going", description = "Let the other ranks run on when one fails.")
    private boolean keepGoing;

    @Option(names = "--prefix", description = "Start each line of output with the rank that wrote it.")
    private boolean prefixed;

    @Parameters(
            paramLabel = "COMMAND",
            arity = "1..*",
            description = "The program and its arguments, after -- if they look like options.")
    private List<String> command = List.of();

    /** For picocli. */
    public LaunchCommand() {}

    @Override
    public Integer call() {
        if (ranks < 1) {
            throw Usage.wrong(spec, "--ranks is " + ranks + "; allowed: 1 or more");
        }
        return Usage.checked(
                spec,
                () -> RankProcesses.run(
                        settings(),
                        spec.commandLine().getOut(),
                        spec.commandLine().getErr()));
    }

    private LaunchSettings settings() {
        return new LaunchSettings(
                Program.ANY,
                command,
                ranks,
                nodes.ranksPerNode(ranks).orElse(ranks),
                keepGoing ? OnFailure.KEEP_GOING : OnFailure.STOP,
                prefixed);
    }
}
