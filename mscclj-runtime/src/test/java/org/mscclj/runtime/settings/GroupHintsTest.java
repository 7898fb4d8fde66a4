package org.mscclj.runtime.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.StreamPriority;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Hints;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.type.DataType;

/** Hints that can be followed are, others are refused or logged once. */
class GroupHintsTest {
    private static final String PRIORITY = KnownHint.HIGH_PRIORITY_STREAM.key();
    private static final String NAN_CHECK = KnownHint.NAN_CHECK.key();
    private static final String TORCH_PRIORITY = "torchcomm::ncclx::high_priority_stream";

    private final LoggedMessages logged = new LoggedMessages();

    private static Hints hints(String key, String value) {
        return Hints.NONE.with(key, value);
    }

    private GroupHints lenient(Hints hints) {
        return new GroupHints(hints, false, false, logged);
    }

    private static void refused(Hints hints, String why) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> GroupHints.of(hints, Optional.of(true), Map.of()));
        assertTrue(String.valueOf(e.getMessage()).contains(why), e::getMessage);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mscclj::high_priority_stream", TORCH_PRIORITY})
    void aPriorityCanBeWishedByEitherName(String key) {
        assertEquals(StreamPriority.HIGH, lenient(hints(key, "true")).streamPriority());
        assertEquals(StreamPriority.NORMAL, lenient(hints(key, "false")).streamPriority());
        assertEquals(StreamPriority.NORMAL, lenient(Hints.NONE).streamPriority());
        assertEquals(List.of(), logged.all());
    }

    @Test
    void strictHintsAreRefused() {
        refused(
                hints("backend_option", "value"),
                "hint backend_option is not known; allowed for a communicator: " + PRIORITY);
        refused(hints(PRIORITY, "yes"), "hint " + PRIORITY + " is \"yes\"; allowed: false or true");
        refused(hints(PRIORITY, "true").with(TORCH_PRIORITY, "false"), "give one of them");
    }

    @Test
    void otherHintsAreLoggedOnce() {
        GroupHints hints = lenient(hints("backend_option", "value"));
        hints.checkCall(hints("of_call", "1"));
        hints.checkCall(hints("of_call", "1"));
        hints.checkCall(hints(PRIORITY, "true"));
        assertEquals(3, logged.all().size(), logged.all()::toString);
        assertTrue(logged.all().getFirst().contains("backend_option is not known"), logged.all()::toString);
        assertTrue(
                logged.all().getLast().contains("means nothing to a call; give it to a communicator"),
                logged.all()::toString);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "true, true", "0, false", "'', false"})
    void theEnvironmentMakesHintsStrictWhereOptionsDoNotSay(String text, boolean strict) {
        Map<String, String> environment = Map.of(GroupHints.STRICT_VARIABLE, text);
        GroupHints hints = GroupHints.of(Hints.NONE, Optional.empty(), environment);
        if (strict) {
            assertThrows(InvalidArgumentException.class, () -> hints.checkCall(hints("a", "b")));
        } else {
            hints.checkCall(hints("a", "b"));
        }
        GroupHints.of(hints("a", "b"), Optional.of(false), environment);
        assertThrows(
                InvalidArgumentException.class,
                () -> GroupHints.of(Hints.NONE, Optional.empty(), Map.of(GroupHints.STRICT_VARIABLE, "perhaps")));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "0, false", "'', false"})
    void theEnvironmentHasNanLookedForWhereHintsDoNotSay(String text, boolean looks) {
        Map<String, String> environment = Map.of(GroupHints.NAN_CHECK_VARIABLE, text);
        assertEquals(looks, checksNan(Hints.NONE, environment, Hints.NONE));
        assertEquals(looks, checksNan(hints(PRIORITY, "true"), environment, hints("a", "b")));
        assertEquals(looks, checksNan(hints(NAN_CHECK, "perhaps"), environment, hints(NAN_CHECK, "perhaps")));
        for (boolean value : new boolean[] {false, true}) {
            Hints given = hints(NAN_CHECK, String.valueOf(value));
            Hints opposite = hints(NAN_CHECK, String.valueOf(!value));
            assertEquals(value, checksNan(given, environment, Hints.NONE));
            assertEquals(value, checksNan(Hints.NONE, environment, given));
            assertEquals(value, checksNan(opposite, environment, given));
        }
    }

    private static boolean checksNan(Hints ofGroup, Map<String, String> environment, Hints ofCall) {
        return GroupHints.of(ofGroup, Optional.of(false), environment).checksNan(ofCall);
    }

    @Test
    void aBadVariableIsRefused() {
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> GroupHints.of(Hints.NONE, Optional.empty(), Map.of(GroupHints.NAN_CHECK_VARIABLE, "perhaps")));
        assertTrue(String.valueOf(e.getMessage()).contains("MSCCLJ_NAN_CHECK is \"perhaps\""), e::getMessage);
    }

    @Test
    void openingRefusesThem() {
        assertThrows(
                InvalidArgumentException.class,
                () -> LocalGroup.open(LocalGroupOptions.ranks(1).hint("a", "b").strictHints(true)));
        assertThrows(
                InvalidArgumentException.class,
                () -> Communicator.open(
                        CommunicatorOptions.rank(0, 1).hint("a", "b").strictHints(true)));
        Communicator.open(CommunicatorOptions.rank(0, 1).hint(PRIORITY, "true").strictHints(true))
                .close();
    }

    @Test
    void callsOfStrictCommunicatorsAreRefusedOnEveryRank() {
        LocalGroupOptions options =
                LocalGroupOptions.ranks(2).hint(TORCH_PRIORITY, "true").strictHints(true);
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> {
                try (DeviceBuffer buffer = communicator.allocate(64)) {
                    CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
                    CollectiveCall hinted = communicator.rank() == 0 ? call.hint("a", "b") : call;
                    assertThrows(InvalidArgumentException.class, () -> communicator.execute(hinted));
                    assertThrows(InvalidArgumentException.class, () -> communicator.prepare(hinted));
                    communicator.execute(call).join();
                }
            });
        }
    }

    @Test
    void whoWantsProcessesToEndIsToldOnce() {
        AtomicBoolean told = new AtomicBoolean();
        AbortOnError.tell(Map.of(), told, logged);
        AbortOnError.tell(Map.of(AbortOnError.VARIABLE, "false"), told, logged);
        assertEquals(List.of(), logged.all());
        AbortOnError.tell(Map.of(AbortOnError.VARIABLE, "true"), told, logged);
        AbortOnError.tell(Map.of(AbortOnError.VARIABLE, "true"), told, logged);
        assertEquals(1, logged.all().size());
        assertTrue(logged.all().getFirst().contains("never ends the process"), logged.all()::toString);
    }
}
