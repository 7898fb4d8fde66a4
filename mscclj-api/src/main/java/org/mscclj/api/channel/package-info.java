/**
 * Channels made by hand: register memory, exchange it with peers by tag, connect, make semaphores, and build memory,
 * port and switch channels from them. Execution plans use the same parts.
 */
package org.mscclj.api.channel;
