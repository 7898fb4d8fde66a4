/** Discovery of providers, with the reasons why some cannot be used. */
package org.mscclj.runtime.provider;
