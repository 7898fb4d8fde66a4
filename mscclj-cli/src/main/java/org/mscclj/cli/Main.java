package org.mscclj.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code mscclj} command. */
@Command(name = "mscclj", description = "GPU collective communication for the JVM.", mixinStandardHelpOptions = true)
public final class Main implements Runnable {
    private Main() {}

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }

    /**
     * Runs the command and ends the VM with its exit status.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
