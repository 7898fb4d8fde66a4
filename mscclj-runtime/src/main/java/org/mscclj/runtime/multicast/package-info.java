/** Sets multicast groups up for switch channels, over the steps in which ranks set a plan's context up. */
package org.mscclj.runtime.multicast;
