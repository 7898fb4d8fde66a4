/** Those who are told what a communicator does. */
package org.mscclj.runtime.hook;
