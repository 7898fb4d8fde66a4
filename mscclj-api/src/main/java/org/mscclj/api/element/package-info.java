/** Device memory as elements of a type, and its copies to and from arrays and NIO buffers. */
package org.mscclj.api.element;
