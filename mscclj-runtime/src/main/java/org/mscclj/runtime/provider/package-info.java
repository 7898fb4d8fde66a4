/** Finds providers, and says why those that cannot be used cannot. */
package org.mscclj.runtime.provider;
