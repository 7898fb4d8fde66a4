/** Closing several things together. */
package org.mscclj.runtime.resource;
