package org.mscclj.cli.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.mscclj.cli.launch.LaunchSettings.OnFailure;

/** The exit code of a launch. */
class GroupExitCodeTest {
    private static final int KILLED = 137;

    @Test
    void theFirstFailureDecidesIfTheOthersAreStopped() {
        assertEquals(0, code(OnFailure.STOP, 0, 0, 0));
        assertEquals(5, code(OnFailure.STOP, 0, 5, 143));
        assertEquals(KILLED, code(OnFailure.STOP, KILLED, 1, 1));
    }

    @Test
    void survivorsDecideIfTheyContinue() {
        assertEquals(0, code(OnFailure.KEEP_GOING, 0, 0, 0));
        assertEquals(0, code(OnFailure.KEEP_GOING, 0, 5, 0));
        assertEquals(0, code(OnFailure.KEEP_GOING, KILLED, KILLED, 0));
        assertEquals(3, code(OnFailure.KEEP_GOING, KILLED, 0, 3));
        assertEquals(3, code(OnFailure.KEEP_GOING, 5, 0, 3, 4));
    }

    @Test
    void theFirstFailureDecidesIfNoRankSurvives() {
        assertEquals(5, code(OnFailure.KEEP_GOING, 5));
        assertEquals(KILLED, code(OnFailure.KEEP_GOING, KILLED, 139));
    }

    private static int code(OnFailure onFailure, int... ends) {
        GroupExitCode judgement = new GroupExitCode(onFailure, ends.length);
        Arrays.stream(ends).forEach(end -> judgement.add(new ExitCode(end)));
        return judgement.code();
    }
}
