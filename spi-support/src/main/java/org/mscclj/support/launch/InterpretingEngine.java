package org.mscclj.support.launch;

import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.PlanEngine;
import org.mscclj.support.interpreter.PlanInterpreter;
import org.mscclj.support.memory.Memory;

/**
 * Runs plans by the reference interpreter, on {@link org.mscclj.support.stream.InOrderStream}s.
 *
 * @param memory the device's memory, and that of peers
 */
public record InterpretingEngine(Memory memory) implements PlanEngine {
    @Override
    public EngineContext open(ContextSpec spec) {
        return new InterpretedContext(new PlanInterpreter(spec, memory));
    }
}
