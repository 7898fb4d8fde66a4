/** Checks of the calls of hooks around launches, replays and aborts. */
package org.mscclj.conformance.rank.hook;
