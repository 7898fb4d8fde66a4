package org.mscclj.posix;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A C function that returns an {@code int}, such as the result code of a driver. Calls allocate nothing. An instance in
 * a static final field is as fast as the method handle in such a field: compilers trust the fields of records.
 *
 * <p>A method whose parameters are not those of the function throws {@link java.lang.invoke.WrongMethodTypeException}.
 *
 * @param handle the function
 */
public record IntCall(MethodHandle handle) {
    /** Calls the function. */
    public int call(long first) {
        try {
            return (int) handle.invokeExact(first);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first) {
        try {
            return (int) handle.invokeExact(first);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, MemorySegment second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, long second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, long second, long third, long fourth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, int second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, long second, int third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, MemorySegment second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(int first, MemorySegment second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, long second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, int second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(int first, MemorySegment second, MemorySegment third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(int first, int second, MemorySegment third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, int second, int third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, int second, long third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, long second, long third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, MemorySegment second, long third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, int second, MemorySegment third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, long second, int third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, int second, long third, long fourth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, long second, int third, long fourth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, long second, long third, int fourth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, long second, long third, int fourth, long fifth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth, fifth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(
            MemorySegment first,
            MemorySegment second,
            MemorySegment third,
            int fourth,
            MemorySegment fifth,
            MemorySegment sixth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth, fifth, sixth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call() {
        try {
            return (int) handle.invokeExact();
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(int first) {
        try {
            return (int) handle.invokeExact(first);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(int first, int second) {
        try {
            return (int) handle.invokeExact(first, second);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, MemorySegment second, int third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, int second, int third, int fourth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, long second, int third, int fourth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, long second, long third, int fourth, long fifth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth, fifth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, long second, long third, int fourth, int fifth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth, fifth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(
            long first,
            MemorySegment second,
            MemorySegment third,
            MemorySegment fourth,
            MemorySegment fifth,
            MemorySegment sixth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth, fifth, sixth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(MemorySegment first, long second, MemorySegment third) {
        try {
            return (int) handle.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** Calls the function. */
    public int call(long first, long second, MemorySegment third, MemorySegment fourth) {
        try {
            return (int) handle.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
