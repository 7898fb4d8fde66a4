/**
 * Memory of the process by its address: the only code of this module that can end the process. Java must allow the
 * module {@code org.mscclj.support} to access native memory ({@code --enable-native-access}).
 */
package org.mscclj.support.ffm;
