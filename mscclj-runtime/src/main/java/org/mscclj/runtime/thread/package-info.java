/** Threads of the runtime's own, which run whatever the application's threads do. */
package org.mscclj.runtime.thread;
