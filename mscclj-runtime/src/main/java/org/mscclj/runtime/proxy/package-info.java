/**
 * The host-side proxy: one thread carries out the triggers of all ranks of the process. An
 * {@link org.mscclj.runtime.proxy.ProxyAgent} is what the channels made by hand of one rank, or those of one of its
 * plans, have of it: a ring, memory ids, semaphore ids; {@link org.mscclj.runtime.proxy.ProxyService} is the thread
 * that runs the agents. A thread that waits for an agent may run it too.
 */
package org.mscclj.runtime.proxy;
