package org.mscclj.conformance.rule;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Feature;

/** A rule of {@code docs/SPEC.md}, and how it is checked. Immutable; start from a factory method and refine. */
public final class Rule {
    private final String id;
    private final Force force;
    private final String statement;
    private final List<String> after;
    private final Set<FindingKind> breaking;
    private final Optional<Feature> feature;
    private final GroupKind groupKind;
    private final boolean spoilsGroup;
    private final boolean undeclared;
    private final Map<Mode, String> untestedIn;
    private final RankCheck check;
    private final CaseSource source;

    private Rule(
            String id,
            Force force,
            String statement,
            List<String> after,
            Set<FindingKind> breaking,
            Optional<Feature> feature,
            GroupKind groupKind,
            boolean spoilsGroup,
            boolean undeclared,
            Map<Mode, String> untestedIn,
            RankCheck check,
            CaseSource source) {
        this.id = id;
        this.force = force;
        this.statement = statement;
        this.after = after;
        this.breaking = breaking;
        this.feature = feature;
        this.groupKind = groupKind;
        this.spoilsGroup = spoilsGroup;
        this.undeclared = undeclared;
        this.untestedIn = untestedIn;
        this.check = check;
        this.source = source;
    }

    /** A rule that binds everyone. */
    static Rule required(String id, String statement, Set<FindingKind> breaking, RankCheck check, CaseSource source) {
        return new Rule(
                id,
                Force.REQUIRED,
                statement,
                List.of(),
                EnumSet.copyOf(breaking),
                Optional.empty(),
                GroupKind.USUAL,
                false,
                false,
                Map.of(),
                check,
                source);
    }

    /** A rule of transports, which has no cases of collectives. */
    public static Rule transport(String id, String statement) {
        return required(id, statement, EnumSet.of(FindingKind.BEHAVIOUR), context -> {}, (scope, rule) -> List.of());
    }

    /**
     * A rule that this suite does not check.
     *
     * @param reason why not, and what does
     */
    public static Rule untested(String id, String reason) {
        return new Rule(
                id,
                Force.UNTESTED,
                reason,
                List.of(),
                Set.of(),
                Optional.empty(),
                GroupKind.USUAL,
                false,
                false,
                Map.of(),
                context -> {},
                (scope, rule) -> List.of());
    }

    /** Judged only if these rules were kept. */
    Rule after(List<String> rules) {
        return new Rule(
                id,
                force,
                statement,
                List.copyOf(rules),
                breaking,
                feature,
                groupKind,
                spoilsGroup,
                undeclared,
                untestedIn,
                check,
                source);
    }

    /** Binds whoever declares the feature. */
    Rule ifDeclared(Feature declared) {
        return new Rule(
                id,
                Force.OPTIONAL,
                statement,
                after,
                breaking,
                Optional.of(declared),
                groupKind,
                spoilsGroup,
                undeclared,
                untestedIn,
                check,
                source);
    }

    /** Not checked in a mode, where it demands nothing; the reason says why. */
    Rule notIn(Mode mode, String reason) {
        Map<Mode, String> untested = new EnumMap<>(Mode.class);
        untested.putAll(untestedIn);
        untested.put(mode, reason);
        return new Rule(
                id,
                force,
                statement,
                after,
                breaking,
                feature,
                groupKind,
                spoilsGroup,
                undeclared,
                Collections.unmodifiableMap(untested),
                check,
                source);
    }

    /** Its cases need another kind of group. */
    Rule in(GroupKind kind) {
        return new Rule(
                id,
                force,
                statement,
                after,
                breaking,
                feature,
                kind,
                spoilsGroup,
                undeclared,
                untestedIn,
                check,
                source);
    }

    /** Its cases leave groups unusable. */
    Rule spoiling() {
        return new Rule(
                id, force, statement, after, breaking, feature, groupKind, true, undeclared, untestedIn, check, source);
    }

    /** Its cases ask for what is not declared: a case that works is worth a warning. */
    Rule ofTheUndeclared() {
        return new Rule(
                id,
                force,
                statement,
                after,
                breaking,
                feature,
                groupKind,
                spoilsGroup,
                true,
                untestedIn,
                check,
                source);
    }

    /** Its name in cases, reports and exclude files, for example {@code spec0101_everyCount}. */
    public String id() {
        return id;
    }

    /** The name of its test: force and id. */
    public String testName() {
        return force.label() + "_" + id;
    }

    /** Its number in {@code docs/SPEC.md}, for example {@code 1.1}. */
    public String number() {
        return Integer.parseInt(id.substring(4, 6)) + "." + Integer.parseInt(id.substring(6, 8));
    }

    /** How binding it is. */
    public Force force() {
        return force;
    }

    /** What it demands; of an untested rule, why it is not tested. */
    public String statement() {
        return statement;
    }

    /** Why it is not checked in a mode; empty if it is. */
    public Optional<String> untestedIn(Mode mode) {
        return force == Force.UNTESTED ? Optional.of(statement) : Optional.ofNullable(untestedIn.get(mode));
    }

    /** Ids of the rules without which it cannot be judged. */
    public List<String> after() {
        return after;
    }

    /** What breaks it. */
    public Set<FindingKind> breaking() {
        return breaking;
    }

    /** What a backend must declare for the rule to bind it. */
    public Optional<Feature> feature() {
        return feature;
    }

    /** The kind of group that its cases need. */
    public GroupKind groupKind() {
        return groupKind;
    }

    /** Whether a group cannot be used after one of its cases. */
    public boolean spoilsGroup() {
        return spoilsGroup;
    }

    /** Whether its cases ask for what is not declared. */
    public boolean isOfTheUndeclared() {
        return undeclared;
    }

    /** What each rank does for a case. */
    public RankCheck check() {
        return check;
    }

    /** The cases to try. */
    public List<TestCase> cases(Scope scope) {
        return source.cases(scope, id);
    }

    @Override
    public String toString() {
        return testName();
    }
}
