package org.mscclj.cli.ranks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/**
 * Ranks as threads of this JVM.
 *
 * @param options the options of their group
 */
public record ThreadRanks(LocalGroupOptions options) implements Ranks {
    @Override
    public boolean includesFirst() {
        return true;
    }

    @Override
    public void run(RankSettings settings, RankPart part) {
        LocalGroup group = LocalGroup.open(options);
        ThreadExchange exchange = new ThreadExchange(group.size());
        PhaseLimit limit = new PhaseLimit();
        AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
        Runnable ranks = () -> group.run(communicator -> {
            RankSession session =
                    new RankSession(communicator, exchange.ofRank(communicator.rank()), settings, limit, failure -> {
                        if (first.compareAndSet(null, failure)) {
                            limit.begin("end after a failure", Supervisor.GRACE);
                            group.abort("rank " + communicator.rank() + " failed: " + failure.getMessage());
                            exchange.fail();
                        }
                    });
            try {
                part.run(session);
            } catch (RuntimeException | Error e) {
                session.failed(e);
                throw e;
            }
        });
        try {
            Supervisor.run(ranks, limit, reason -> {
                group.abort(reason);
                exchange.fail();
            });
        } catch (RuntimeException | Error e) {
            // The first failure is reported, independently of the order in which threads end.
            throw Supervisor.unchecked(first.get(), e);
        } finally {
            close(group, first.get() == null ? settings.timeout() : Duration.ZERO);
        }
    }

    private static void close(LocalGroup group, Duration timeout) {
        PhaseLimit limit = new PhaseLimit();
        limit.begin("close", timeout.plus(Supervisor.GRACE));
        Supervisor.run(group::close, limit, group::abort);
    }
}
