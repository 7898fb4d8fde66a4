/**
 * The lock-free protocols under jcstress: one class for each guarantee that their Javadoc states. Tests of classes that
 * no other package sees are in the package of the class.
 */
package org.mscclj.stress;
