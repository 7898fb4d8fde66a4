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

/** The command {@code mscclj launch}: starts ranks as processes. */
@Command(
        name = "launch",
        sortOptions = false,
        header = "Start the ranks of a program as processes on this machine.",
        description = {
            "",
            "Each process gets MSCCLJ_RANK, MSCCLJ_WORLD_SIZE, MSCCLJ_LOCAL_RANK, MSCCLJ_MASTER_ADDR,"
                    + " MSCCLJ_MASTER_PORT (0: rank 0 chooses), MSCCLJ_JOB and MSCCLJ_SECRET_FILE (random),"
                    + " by which its"
                    + " communicator finds the other ranks. Output is forwarded line by line; rank 0 reads the standard input."
                    + " Across machines use mpirun, torchrun or srun.",
            "",
            "The program java is the Java that runs this command, with all of mscclj on its class path, to which"
                    + " CLASSPATH (or else the working directory) is added, and with the options that mscclj"
                    + " needs: launch"
                    + " --ranks 2 -- java Program.java. A class path among its arguments takes the place of"
                    + " that. Another"
                    + " Java is named by its path.",
            ""
        },
        footer = {
            "",
            "When a rank fails, the others get SIGTERM, and SIGKILL 5 s later; so they do on SIGINT, SIGTERM and"
                    + " SIGHUP. When the launcher is killed, so are they, and what they started.",
            "",
            "Exit codes: 0 all ranks ended with 0; else that of the first rank that failed, 128 + n after signal n; 2"
                    + " bad usage. With --keep-going, the first rank that fails and each rank that a signal"
                    + " ends count as"
                    + " lost, and the others decide: 0 if all of these ended with 0, else the code of the first"
                    + " of these"
                    + " that failed. If no rank is left, it is that of the first that failed."
        })
public final class LaunchCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--ranks", required = true, paramLabel = "N", description = "Number of processes.")
    private int ranks;

    @Mixin
    private NodeOption nodes = new NodeOption();

    @Option(
            names = "--keep-going",
            description = "Let the other ranks continue when one fails, and let them determine the exit code.")
    private boolean keepGoing;

    @Option(names = "--prefix", description = "Start each line of output with the rank that wrote it.")
    private boolean prefixed;

    @Parameters(
            paramLabel = "COMMAND",
            arity = "1..*",
            description = "The program and its arguments, after -- if they look like options.")
    private List<String> command = List.of();

    /** Called by picocli. */
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
                JavaProgram.commandLine(command, System.getenv()),
                ranks,
                nodes.ranksPerNode(ranks).orElse(ranks),
                keepGoing ? OnFailure.KEEP_GOING : OnFailure.STOP,
                prefixed);
    }
}
