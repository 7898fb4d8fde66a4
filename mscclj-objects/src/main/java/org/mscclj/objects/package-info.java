/**
 * Collectives of objects over a communicator: {@link org.mscclj.objects.ObjectCollectives} and the codecs that turn
 * objects into bytes and back. Java's own serialization is never used.
 */
package org.mscclj.objects;
