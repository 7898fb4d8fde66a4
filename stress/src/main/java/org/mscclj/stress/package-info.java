/** The lock-free protocols under jcstress: one class for each guarantee that their Javadoc states. */
package org.mscclj.stress;
