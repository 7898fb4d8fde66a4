package org.mscclj.api.error;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlainTextTest {
    private static final String EVIL = "a\n\u001b[31mb\u0000\u202e\u2028\u009b\ud800";

    @Test
    void nothingThatATerminalObeysIsLeft() {
        String escaped = "a\\u000a\\u001b[31mb\\u0000\\u202e\\u2028\\u009b\\ud800";
        assertEquals(escaped, PlainText.escape(EVIL));
        assertEquals('"' + escaped + '"', PlainText.quote(EVIL));
        assertEquals(escaped.replace("\\u000a", "\n"), PlainText.lines(EVIL));
    }

    @Test
    void lettersOfAllLanguagesStay() {
        String text = "é\u4e2d\ud83d\ude00 \u0628";
        assertEquals(text, PlainText.escape(text));
        // A tag character, which is invisible, in the higher planes.
        assertEquals("\\udb40\\udc41", PlainText.escape("\udb40\udc41"));
    }

    @Test
    void whatIsLongIsCutBetweenCharacters() {
        assertEquals("x".repeat(80), PlainText.brief("x".repeat(80)));
        assertEquals("x".repeat(80) + "…", PlainText.brief("x".repeat(81)));
        assertEquals("x".repeat(79) + "…", PlainText.brief("x".repeat(79) + "\ud83d\ude00"));
        assertEquals(99_999, PlainText.escape("x".repeat(99_999)).length());
    }

    @Test
    void messagesOfExceptionsAreEscaped() {
        MsccljException e = new InvalidArgumentException("plan " + EVIL);
        assertTrue(e.getMessage().chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)), e.getMessage());
    }
}
