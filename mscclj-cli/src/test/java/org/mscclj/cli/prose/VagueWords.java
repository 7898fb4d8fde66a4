package org.mscclj.cli.prose;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Words that are wrong wherever they stand in prose about this library: they hide the subject of a sentence, or they
 * replace a word of the field. docs/GLOSSARY.md lists the words to use.
 */
final class VagueWords {
    private static final Pattern PATTERN = Pattern.compile(
            "\\b(?:who|whom|whoever|whomever|somebody|someone|anybody|nobody"
                    + "|(?:is|are|was|were|be|been|being) told"
                    + "|look(?:s|ed|ing)? (?:for|no more)|so many|so much|room|patience"
                    + "|makes? of (?:it|them)|what is left of|others may not)\\b",
            Pattern.CASE_INSENSITIVE);

    private VagueWords() {}

    /** Returns the vague words of a text in order, with repetitions. */
    static List<String> in(String text) {
        return PATTERN.matcher(text).results().map(MatchResult::group).toList();
    }
}
