package org.mscclj.conformance.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.scenario.Depth;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.transport.TransportSuite;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Exclusion;
import org.mscclj.spi.Feature;

class RulesTest {
    private static final Capabilities EVERYTHING = new Capabilities(
            EnumSet.allOf(DataType.class), EnumSet.allOf(ReduceOp.Kind.class), 64, EnumSet.allOf(Feature.class));

    /** A smoke test is for machines on which a whole suite would take too long. */
    @Test
    void noRuleOfASmokeTestWaitsForATimeout() {
        List<Rule> quick = Rules.withoutWaits();
        assertTrue(quick.containsAll(Rules.ofSmoke()));
        for (Rule rule : Rules.ofSmoke()) {
            assertTrue(quick.stream().map(Rule::id).toList().containsAll(rule.after()), rule::id);
        }
        assertTrue(quick.size() < Rules.all().size());
    }

    @Test
    void everyRuleHasItsNumberInTheSpecification() throws IOException {
        String specification = Files.readString(Path.of("../docs/SPEC.md"));
        for (Rule rule : Stream.concat(Rules.all().stream(), TransportSuite.rules().stream())
                .toList()) {
            assertTrue(Pattern.matches("spec\\d{4}_[a-z]\\w+", rule.id()), rule::id);
            String[] number = rule.number().split("\\.", -1);
            int start = specification.indexOf("\n## " + number[0] + ". ");
            assertTrue(start >= 0, () -> "section of " + rule);
            int end = specification.indexOf("\n## ", start + 1);
            String section = specification.substring(start, end < 0 ? specification.length() : end);
            assertTrue(section.contains("\n" + number[1] + ". "), () -> "number of " + rule);
        }
    }

    @Test
    void rulesTakeOnlyEarlierOnesForGranted() {
        Set<String> earlier = new HashSet<>();
        for (Rule rule : Rules.all()) {
            assertTrue(earlier.containsAll(rule.after()), () -> rule + " is after " + rule.after());
            assertTrue(earlier.add(rule.id()), () -> rule + " is there twice");
        }
    }

    @Test
    void casesCanBeRunAgainFromTheirLines() {
        for (Mode mode : Mode.values()) {
            for (Rule rule : Rules.all()) {
                for (TestCase test : rule.cases(new Scope(mode, EVERYTHING, Depth.SAMPLE, List.of(), 1))) {
                    assertEquals(test, TestCase.parse(test.line()));
                    assertEquals(rule.id(), test.rule());
                }
            }
        }
    }

    @Test
    void theSampleCoversTheGrid() {
        Scope scope = new Scope(Mode.THREADS, EVERYTHING, Depth.SAMPLE, List.of(), 1);
        Set<Long> counts = new HashSet<>();
        Set<Integer> worlds = new HashSet<>();
        Set<List<Object>> typesAndOps = new HashSet<>();
        for (Rule rule : Rules.all()) {
            for (TestCase test : rule.cases(scope)) {
                counts.add(test.count());
                worlds.add(test.world());
                typesAndOps.add(List.of(test.type(), test.op()));
            }
        }
        assertTrue(
                counts.containsAll(List.of(0L, 1L, 3L, 1023L, 1024L, 1025L, 65_535L, (1L << 20) + 1)),
                counts::toString);
        assertEquals(Set.of(1, 2, 3, 5, 7, 8, 11, 16), worlds);
        for (DataType type : DataType.values()) {
            for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG)) {
                assertTrue(typesAndOps.contains(List.of(type, op)), () -> op + " of " + type);
            }
        }
    }

    /** Only the rule about the undeclared tries what a backend excludes. */
    @Test
    void whatIsExcludedIsTriedAsUndeclared() {
        Exclusion one = new Exclusion(DataType.INT8, ReduceOp.Kind.AVG, 2);
        Capabilities declared =
                new Capabilities(EVERYTHING.dataTypes(), EVERYTHING.reduceOps(), 8, EVERYTHING.features(), Set.of(one));
        for (Depth depth : Depth.values()) {
            Scope scope = new Scope(Mode.THREADS, declared, depth, List.of(), 1);
            int larger = 0;
            for (Rule rule : Rules.all()) {
                List<TestCase> cases = rule.cases(scope).stream()
                        .filter(test -> test.collective().reduces()
                                && test.type() == one.type()
                                && test.op().kind() == one.op())
                        .toList();
                long excluded = cases.stream()
                        .filter(test -> test.world() <= one.maxRanks())
                        .count();
                assertEquals(rule.isOfTheUndeclared(), excluded > 0, rule::id);
                larger += cases.size();
            }
            assertTrue(larger > 1, "averages of int8 on more than two ranks are tried");
        }
    }

    @Test
    void whatDeclaresLittleHasFewerCases() {
        Capabilities few = new Capabilities(
                EnumSet.of(DataType.INT32),
                EnumSet.of(ReduceOp.Kind.SUM),
                2,
                EnumSet.of(Feature.PLANS, Feature.RANKS_AS_THREADS));
        for (Depth depth : Depth.values()) {
            Scope scope = new Scope(Mode.THREADS, few, depth, List.of(), 1);
            assertEquals(
                    List.of(),
                    Rules.find("spec0306_averagesAndPremultipliedSums").cases(scope));
            assertEquals(List.of(), Rules.find("spec0309_equalBitsOnAllRanks").cases(scope));
            for (Rule rule : Rules.all()) {
                for (TestCase test : rule.cases(scope)) {
                    assertTrue(test.world() <= 2, test::line);
                }
            }
        }
    }

    @Test
    void givenNumbersOfRanksAreTriedWhateverTheDepth() {
        Scope scope = new Scope(Mode.PROCESSES, EVERYTHING, Depth.QUICK, List.of(8, 4, 8), 1);
        assertEquals(List.of(4, 8), scope.worlds());
        for (String rule : List.of("spec0101_everyNumberOfRanks", "spec1201_messagesArrive")) {
            Set<Integer> worlds = new HashSet<>();
            Rules.find(rule).cases(scope).forEach(test -> worlds.add(test.world()));
            assertEquals(Set.of(4, 8), worlds, rule);
        }
    }
}
