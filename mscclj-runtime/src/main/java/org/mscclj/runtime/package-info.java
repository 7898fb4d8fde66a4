/**
 * The engine behind the API: {@link org.mscclj.runtime.RuntimePlatform} is what applications find by service loader.
 */
package org.mscclj.runtime;
