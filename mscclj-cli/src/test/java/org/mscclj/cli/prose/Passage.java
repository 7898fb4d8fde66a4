package org.mscclj.cli.prose;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A piece of prose in a source file: a comment or a string literal.
 *
 * @param line the number of its first line, from 1
 * @param text its text as in the file, with its delimiters
 */
record Passage(int line, String text) {
    /** Tokens that can hold a quotation mark or the start of a comment, in the order in which they are tried. */
    private static final Pattern TOKEN = Pattern.compile(
            "\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\\n]++|\\\\.)++'|//[^\\n]*+|/\\*(?s:.*?)\\*/");

    private static final Pattern LINE_END = Pattern.compile("\\s*\\n\\s*(?:\\*(?!/)|//)?\\s*");

    /** Returns the comments and string literals of a source file in Java, C++ or CUDA, in order. */
    static List<Passage> of(String source) {
        return TOKEN.matcher(source)
                .results()
                .filter(token -> !token.group().startsWith("'"))
                .map(token -> new Passage(lineOf(source, token), token.group()))
                .toList();
    }

    private static int lineOf(String source, MatchResult token) {
        return 1
                + (int) source.chars()
                        .limit(token.start())
                        .filter(c -> c == '\n')
                        .count();
    }

    /** Whether this is a comment. */
    boolean isComment() {
        return text.startsWith("/");
    }

    /** Returns the text in one line, without the asterisks at the left margin of a comment. */
    String joined() {
        return LINE_END.matcher(text).replaceAll(" ");
    }
}
