package org.mscclj.cli.ranks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;

/**
 * This process as one rank. The other ranks run the same command.
 *
 * @param options the options of its communicator
 */
public record LaunchedRank(CommunicatorOptions options) implements Ranks {
    @Override
    public boolean includesFirst() {
        return options.rank() == 0;
    }

    @Override
    public void run(RankSettings settings, RankPart part) {
        PhaseLimit limit = new PhaseLimit();
        limit.begin("set-up", options.timeout().multipliedBy(2).plus(Supervisor.GRACE));
        AtomicReference<@Nullable Communicator> opened = new AtomicReference<>();
        Consumer<String> abort = reason -> {
            Communicator communicator = opened.get();
            if (communicator != null) {
                communicator.abort(reason);
            }
        };
        Consumer<Throwable> onFailure = failure -> {
            limit.begin("end after a failure", Supervisor.GRACE);
            abort.accept("rank " + options.rank() + " failed: " + failure.getMessage());
        };
        Supervisor.run(
                () -> {
                    try (Communicator communicator = Communicator.open(options)) {
                        opened.set(communicator);
                        run(communicator, part, settings, limit, onFailure);
                    }
                },
                limit,
                abort);
    }

    private static void run(
            Communicator communicator,
            RankPart part,
            RankSettings settings,
            PhaseLimit limit,
            Consumer<Throwable> onFailure) {
        try (CommunicatorExchange exchange = new CommunicatorExchange(communicator)) {
            RankSession session = new RankSession(communicator, exchange, settings, limit, onFailure);
            try {
                part.run(session);
                session.beginClose();
            } catch (RuntimeException | Error e) {
                session.failed(e);
                throw e;
            }
        }
        limit.begin("close", settings.timeout().plus(Duration.ofSeconds(1)));
    }
}
