/**
 * A simple implementation of the collectives on ranks of one process, and ways to break it: what the suite itself is
 * tested with.
 */
package org.mscclj.conformance.reference;
