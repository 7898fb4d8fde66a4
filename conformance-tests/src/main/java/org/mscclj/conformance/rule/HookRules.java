package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.RuleForms.REPLAYED;
import static org.mscclj.conformance.rule.RuleForms.behaviour;
import static org.mscclj.conformance.rule.RuleForms.graphs;
import static org.mscclj.conformance.rule.RuleForms.with;

import java.util.List;
import java.util.stream.Stream;
import org.mscclj.conformance.rank.hook.HookChecks;
import org.mscclj.spi.Feature;

/** Rules about the calls of hooks. */
final class HookRules {
    private static final String TOLD = "spec0713_launchHooksAreCalled";

    private HookRules() {}

    static List<Rule> all() {
        return List.of(
                behaviour(
                                TOLD,
                                "A hook is called for each launch before it is enqueued and after that, with its"
                                        + " number, until it is removed; one that fails changes nothing.",
                                HookChecks.hooks())
                        .after(with("spec0607_launchesReadTheirInputAnew", "spec0603_lastLaunchesAreWork")),
                graphs(
                                "spec0713_replayHooksAreCalled",
                                "A hook is called for each replay with its number, and for captured "
                                        + "launches without one.",
                                HookChecks.hooksOfReplays(),
                                Cases::usualCase)
                        .after(Stream.concat(REPLAYED.stream(), Stream.of(TOLD)).toList()),
                behaviour(
                                "spec0713_abortHooksAreCalled",
                                "A hook is called for an abort once, on every rank, with its reason.",
                                HookChecks.hooksOfAborts())
                        .ifDeclared(Feature.ABORT)
                        .after(List.of(TOLD)));
    }
}
