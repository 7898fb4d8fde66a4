package org.mscclj.conformance.rule;

import static org.mscclj.conformance.rule.RuleForms.behaviour;
import static org.mscclj.conformance.rule.RuleForms.with;

import java.util.List;
import org.mscclj.conformance.rank.Checks;
import org.mscclj.conformance.scenario.GroupKind;

/**
 * Rules about what the calls of a collective have in common on all ranks: signatures, locations of buffers, algorithms
 * and hints.
 */
final class CallRules {
    private CallRules() {}

    static List<Rule> all() {
        List<String> after = with("spec0607_launchesReadTheirInputAnew");
        return List.of(
                behaviour(
                                "spec0802_knownKindsOnlyLaunch",
                                "A call of a kind that all ranks have called before waits for no other rank's call.",
                                Checks.knownKinds())
                        .after(after),
                behaviour(
                                "spec0803_placesAreEqual",
                                "A call with registered memory at different places, or with plain memory on"
                                        + " some ranks, is refused on all; preparing is not.",
                                Checks.places())
                        .after(after),
                behaviour(
                                "spec0804_emptyBuffersHaveNoPlace",
                                "Buffers of 0 bytes may differ in where they lie.",
                                Checks.emptyPlaces())
                        .after(after),
                behaviour(
                                "spec0805_ranksChooseAlike",
                                "All ranks choose the same algorithm; where one names another, all refuse.",
                                Checks.choice())
                        .after(after),
                behaviour(
                                "spec0808_otherHintsAreIgnored",
                                "Hints that are not known, or mean nothing, change nothing.",
                                Checks.otherHints())
                        .after(after),
                behaviour(
                                "spec0808_strictHintsAreRefused",
                                "Where hints are strict, such hints are refused on every rank, by name, and"
                                        + " ranks go on.",
                                Checks.strictHints())
                        .in(GroupKind.STRICT)
                        .after(after));
    }
}
