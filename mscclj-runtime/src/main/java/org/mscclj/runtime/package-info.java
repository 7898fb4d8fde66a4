/** The engine behind the API. Applications find {@link org.mscclj.runtime.RuntimePlatform} by the service loader. */
package org.mscclj.runtime;
