/**
 * Channels that the application sets up: register memory, exchange it with peers by tag, connect, create semaphores,
 * and build memory, port and switch channels from them. Execution plans use the same parts.
 */
package org.mscclj.api.channel;
