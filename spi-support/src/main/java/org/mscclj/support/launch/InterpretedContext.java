package org.mscclj.support.launch;

import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.support.interpreter.PlanInterpreter;

/** The context of a plan on one rank. Its memory and connections belong to the runtime. */
record InterpretedContext(PlanInterpreter interpreter) implements EngineContext {
    @Override
    public PreparedLaunch prepare(LaunchSpec launch) {
        interpreter.requireMapped(launch);
        return new InterpretedLaunch(interpreter, launch);
    }

    @Override
    public void close() {
        // holds only heap memory
    }
}
