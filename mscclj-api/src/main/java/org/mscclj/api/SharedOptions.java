package org.mscclj.api;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.plan.PlanVerification;

/**
 * What the options of communicators and of local groups have in common.
 *
 * @param backend its name; empty for the best available one
 * @param timeout the default timeout
 * @param name for messages
 * @param verification what becomes of plans that are not proved; empty for what the environment says
 * @param hints wishes
 * @param strictHints whether hints that mean nothing are refused; empty for what the environment says
 */
record SharedOptions(
        Optional<String> backend,
        Duration timeout,
        String name,
        Optional<PlanVerification> verification,
        Hints hints,
        Optional<Boolean> strictHints) {
    static SharedOptions of(String name) {
        return new SharedOptions(
                Optional.empty(),
                DefaultTimeout.of(System.getenv()),
                name,
                Optional.empty(),
                Hints.NONE,
                Optional.empty());
    }

    SharedOptions withBackend(String chosen) {
        return new SharedOptions(Optional.of(chosen), timeout, name, verification, hints, strictHints);
    }

    SharedOptions withTimeout(Duration limit) {
        return new SharedOptions(
                backend, DefaultTimeout.requirePositive(limit), name, verification, hints, strictHints);
    }

    SharedOptions withName(String given) {
        return new SharedOptions(backend, timeout, given, verification, hints, strictHints);
    }

    SharedOptions withVerification(PlanVerification chosen) {
        return new SharedOptions(backend, timeout, name, Optional.of(chosen), hints, strictHints);
    }

    SharedOptions withHints(Hints given) {
        return new SharedOptions(backend, timeout, name, verification, given, strictHints);
    }

    SharedOptions withStrictHints(boolean strict) {
        return new SharedOptions(backend, timeout, name, verification, hints, Optional.of(strict));
    }
}
