/**
 * Collectives of objects over a communicator: {@link org.mscclj.objects.ObjectCollectives}, and codecs that convert
 * objects to bytes and back. Java serialization is never used.
 */
package org.mscclj.objects;
