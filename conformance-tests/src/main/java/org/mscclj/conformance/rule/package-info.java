/**
 * The rules: numbered as in {@code docs/SPEC.md}, each with its cases, its check, and the kinds of findings that break
 * it.
 */
package org.mscclj.conformance.rule;
