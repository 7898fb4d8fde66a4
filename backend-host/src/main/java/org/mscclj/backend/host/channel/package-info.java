/** Channels whose operations the calling thread carries out, on mapped memory. */
package org.mscclj.backend.host.channel;
