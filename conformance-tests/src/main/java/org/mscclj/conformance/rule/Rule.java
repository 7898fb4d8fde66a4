package org.mscclj.conformance.rule;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** A rule of {@code docs/SPEC.md}, with its check. Immutable; start from a factory method and refine the result. */
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
    private final boolean ofPlans;
    private final Map<Mode, String> untestedIn;
    private final RankCheck check;
    private final CaseSource source;

    private Rule(Draft draft) {
        this.id = draft.id;
        this.force = draft.force;
        this.statement = draft.statement;
        this.after = draft.after;
        this.breaking = draft.breaking;
        this.feature = draft.feature;
        this.groupKind = draft.groupKind;
        this.spoilsGroup = draft.spoilsGroup;
        this.undeclared = draft.undeclared;
        this.ofPlans = draft.ofPlans;
        this.untestedIn = draft.untestedIn;
        this.check = draft.check;
        this.source = draft.source;
    }

    /** Returns a rule that binds every implementation. */
    static Rule required(String id, String statement, Set<FindingKind> breaking, RankCheck check, CaseSource source) {
        Draft draft = new Draft(id, Force.REQUIRED, statement);
        draft.breaking = Collections.unmodifiableSet(EnumSet.copyOf(breaking));
        draft.check = check;
        draft.source = source;
        return new Rule(draft);
    }

    /** Returns a rule of transports, which has no cases of collectives. */
    public static Rule transport(String id, String statement) {
        Draft draft = new Draft(id, Force.REQUIRED, statement);
        draft.breaking = Set.of(FindingKind.BEHAVIOUR);
        return new Rule(draft);
    }

    /**
     * Returns a rule that this suite does not check.
     *
     * @param reason why the suite does not check it, and what does
     */
    public static Rule untested(String id, String reason) {
        return new Rule(new Draft(id, Force.UNTESTED, reason));
    }

    /** Returns a rule that is judged only if these rules hold. */
    Rule after(List<String> rules) {
        return with(draft -> draft.after = List.copyOf(rules));
    }

    /** Returns a rule that binds backends which declare the feature. */
    Rule ifDeclared(Feature declared) {
        return with(draft -> {
            draft.force = Force.OPTIONAL;
            draft.feature = Optional.of(declared);
        });
    }

    /** Returns a rule that is not checked in a mode, in which it demands nothing. The reason states why. */
    Rule notIn(Mode mode, String reason) {
        Map<Mode, String> untested = new EnumMap<>(Mode.class);
        untested.putAll(untestedIn);
        untested.put(mode, reason);
        return with(draft -> draft.untestedIn = Collections.unmodifiableMap(untested));
    }

    /** Returns a rule that is not checked between nodes, where it demands nothing. The reason states why. */
    Rule notBetweenNodes(String reason) {
        return notIn(Mode.NODES, reason).notIn(Mode.PROCESS_NODES, reason);
    }

    /** Returns a rule whose cases need another kind of group. */
    Rule in(GroupKind kind) {
        return with(draft -> draft.groupKind = kind);
    }

    /** Returns a rule whose cases leave their group unusable. */
    Rule spoiling() {
        return with(draft -> draft.spoilsGroup = true);
    }

    /** Returns a rule whose cases use what the backend does not declare. A case that works gives a warning. */
    Rule ofTheUndeclared() {
        return with(draft -> draft.undeclared = true);
    }

    /**
     * Returns a rule that binds only collectives of this platform. Without {@link Feature#PLANS} another library serves
     * them, and the rule has no cases.
     */
    Rule ofPlans() {
        return with(draft -> draft.ofPlans = true);
    }

    private Rule with(Consumer<Draft> change) {
        Draft draft = new Draft(id, force, statement);
        draft.after = after;
        draft.breaking = breaking;
        draft.feature = feature;
        draft.groupKind = groupKind;
        draft.spoilsGroup = spoilsGroup;
        draft.undeclared = undeclared;
        draft.ofPlans = ofPlans;
        draft.untestedIn = untestedIn;
        draft.check = check;
        draft.source = source;
        change.accept(draft);
        return new Rule(draft);
    }

    /** Returns its name in cases, reports and exclude files, for example {@code spec0101_everyCount}. */
    public String id() {
        return id;
    }

    /** Returns the name of its test: force and id. */
    public String testName() {
        return force.label() + "_" + id;
    }

    /** Returns its number in {@code docs/SPEC.md}, for example {@code 1.1}. */
    public String number() {
        return Integer.parseInt(id.substring(4, 6)) + "." + Integer.parseInt(id.substring(6, 8));
    }

    /** Returns how binding the rule is. */
    public Force force() {
        return force;
    }

    /** Returns what the rule demands; for an untested rule, why it is not tested. */
    public String statement() {
        return statement;
    }

    /** Returns why the rule is not checked in a mode; empty if it is. */
    public Optional<String> untestedIn(Mode mode) {
        return force == Force.UNTESTED ? Optional.of(statement) : Optional.ofNullable(untestedIn.get(mode));
    }

    /** Returns the ids of the rules without which it cannot be judged. */
    public List<String> after() {
        return after;
    }

    /** Returns the kinds of findings that break the rule. */
    public Set<FindingKind> breaking() {
        return breaking;
    }

    /** Returns the feature whose declaration makes the rule binding. */
    public Optional<Feature> feature() {
        return feature;
    }

    /** Returns the kind of group that its cases need. */
    public GroupKind groupKind() {
        return groupKind;
    }

    /** Returns whether its cases leave their group unusable. */
    public boolean spoilsGroup() {
        return spoilsGroup;
    }

    /** Returns whether its cases use what the backend does not declare. */
    public boolean isOfTheUndeclared() {
        return undeclared;
    }

    /** Returns what each rank does for a case. */
    public RankCheck check() {
        return check;
    }

    /** Returns whether the rule is about the collectives of a backend with these capabilities, whatever its feature. */
    public boolean isFor(Capabilities capabilities) {
        return !ofPlans || capabilities.features().contains(Feature.PLANS);
    }

    /** Returns the cases to try. Only a rule about what is not declared has cases that the backend excludes. */
    public List<TestCase> cases(Scope scope) {
        Capabilities capabilities = scope.capabilities();
        if (!isFor(capabilities)) {
            return List.of();
        }
        List<TestCase> cases = source.cases(scope, id);
        return undeclared || capabilities.exclusions().isEmpty()
                ? cases
                : cases.stream()
                        .filter(test -> !test.collective().reduces()
                                || !capabilities.excludes(test.type(), test.op().kind(), test.world()))
                        .toList();
    }

    @Override
    public String toString() {
        return testName();
    }

    /** A rule under construction; at first it checks nothing. */
    private static final class Draft {
        private final String id;
        private final String statement;
        private Force force;
        private List<String> after = List.of();
        private Set<FindingKind> breaking = Set.of();
        private Optional<Feature> feature = Optional.empty();
        private GroupKind groupKind = GroupKind.USUAL;
        private boolean spoilsGroup;
        private boolean undeclared;
        private boolean ofPlans;
        private Map<Mode, String> untestedIn = Map.of();
        private RankCheck check = context -> {};
        private CaseSource source = (scope, rule) -> List.of();

        private Draft(String id, Force force, String statement) {
            this.id = id;
            this.force = force;
            this.statement = statement;
        }
    }
}
