/**
 * The rules, numbered as in {@code docs/SPEC.md}. Each has its cases, its check, and the kinds of findings that break
 * it.
 */
package org.mscclj.conformance.rule;
