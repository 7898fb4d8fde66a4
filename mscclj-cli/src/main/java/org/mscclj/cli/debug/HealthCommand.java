package org.mscclj.cli.debug;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mscclj.api.error.PlainText;
import org.mscclj.cli.options.JsonOption;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code mscclj debug health}: shows which processes of this host are healthy. */
@Command(
        name = "health",
        header = "Show which running processes have had no fault.",
        description = {
            "",
            "A process is unhealthy after a launch was late, a rank was lost, or a rank of it"
                    + " has failed, even if the communicator is closed by now, and while it does"
                    + " not answer.",
            "Works for processes of this user on this host that have opened a communicator. Ends with 0 if all"
                    + " are healthy, with 1 otherwise.",
            ""
        })
public final class HealthCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private ProcessArguments processes = new ProcessArguments();

    @Mixin
    private JsonOption json = new JsonOption();

    /** Called by picocli. */
    public HealthCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        PrintWriter table = json.table(out, err);
        List<ProcessHealth> all = new ArrayList<>();
        for (ProcessAnswer<HealthReading> answer : processes.ask(spec, HealthReading::of)) {
            Optional<ProcessHealth> health = ProcessHealth.of(answer);
            health.ifPresentOrElse(
                    one -> table.println(PlainText.lines(one.toString())),
                    () -> err.println(PlainText.escape("process " + answer.process() + " " + answer.silence())));
            health.ifPresent(all::add);
        }
        table.flush();
        if (all.isEmpty()) {
            throw processes.nobody();
        }
        json.write(() -> Optional.of(text(all)), out);
        return all.stream().allMatch(ProcessHealth::healthy) ? 0 : 1;
    }

    private static String text(List<ProcessHealth> all) {
        return JsonWriter.document(JsonLayout.REPORT, writer -> {
            writer.beginArray();
            all.forEach(health -> health.write(writer));
            writer.end();
        });
    }
}
