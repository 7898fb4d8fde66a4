/**
 * The host's plan engine: {@link org.mscclj.backend.host.engine.ProgramCompiler} compiles the operations of a rank into
 * steps, and a {@link org.mscclj.backend.host.engine.HostLaunch} carries them out round by round, block by block.
 */
package org.mscclj.backend.host.engine;
