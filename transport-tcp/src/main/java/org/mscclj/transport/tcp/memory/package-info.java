/** Memory that peers may write, and the memory of peers. */
package org.mscclj.transport.tcp.memory;
