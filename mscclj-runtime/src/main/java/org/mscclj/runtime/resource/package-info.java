/** Closing of several resources together. */
package org.mscclj.runtime.resource;
