/**
 * The host's plan engine: {@link org.mscclj.backend.host.engine.ProgramCompiler} turns the operations of a rank into
 * steps, a {@link org.mscclj.backend.host.engine.HostLaunch} carries them out round by round, block by block.
 */
package org.mscclj.backend.host.engine;
