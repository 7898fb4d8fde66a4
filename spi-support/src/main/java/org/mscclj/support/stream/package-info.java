/** Streams whose work one thread carries out in order, and events of these streams. */
package org.mscclj.support.stream;
