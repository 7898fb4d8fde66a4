/** Ranks as processes that end unexpectedly, and communicators that are opened and closed many times. */
package org.mscclj.cli.faults;
