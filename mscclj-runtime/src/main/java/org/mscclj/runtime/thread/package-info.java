/** Threads of the runtime, which run whatever the application's threads do. */
package org.mscclj.runtime.thread;
