/**
 * The host-side proxy: one thread carries out the triggers of all ranks of the process. Each
 * {@link org.mscclj.runtime.proxy.ProxyAgent} serves the channels that a rank creates by hand, or the channels of one
 * of its plans. An agent owns a ring, memory ids and semaphore ids; {@link org.mscclj.runtime.proxy.ProxyService} is
 * the thread that runs the agents. A thread that waits for an agent may run it too.
 */
package org.mscclj.runtime.proxy;
