// What the device library asks of a vendor's GPUs, for processors: arch/cuda.cuh says what each function does. What
// acquires or releases there does so here.

#define MSCCLJ_GRID_CONSTANT
#define MSCCLJ_IN_PLACE(parameter) (parameter)

namespace mscclj {

// What follows in the device library.
template <class Element, class Operator, class Raw>
struct Accumulator;
template <class Unit>
Unit loadUnit(uint64 address);

inline void awaitEarlierKernels() { emulation::place.awaitEarlier(); }

inline void letNextKernelBegin() { emulation::place.letNext(); }

inline uint64 loadAcquireSystem(const uint64* address) {
    emulation::breathe();
    return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

inline uint64 loadRelaxedSystem(const uint64* address) {
    emulation::breathe();
    return __atomic_load_n(address, __ATOMIC_RELAXED);
}

inline uint32 loadRelaxedSystem(const uint32* address) {
    emulation::breathe();
    return __atomic_load_n(address, __ATOMIC_RELAXED);
}

inline uint64 loadAcquireDevice(const uint64* address) { return loadAcquireSystem(address); }

inline void storeRelaxedSystem(uint64* address, uint64 value) {
    emulation::stores(address, sizeof value);
    __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

inline void storeRelaxedSystem(uint32* address, uint32 value) {
    emulation::stores(address, sizeof value);
    __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

inline void storeReleaseSystem(uint64* address, uint64 value) { __atomic_store_n(address, value, __ATOMIC_RELEASE); }

inline void addRelaxedSystem(uint64* address, uint64 value) { __atomic_fetch_add(address, value, __ATOMIC_RELAXED); }
inline void addReleaseSystem(uint64* address, uint64 value) { __atomic_fetch_add(address, value, __ATOMIC_RELEASE); }

inline uint64 fetchAddDevice(uint64* address, uint64 value) {
    return __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
}

inline uint64 fetchAddRelaxedDevice(uint64* address, uint64 value) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

inline uint64 exchangeDevice(uint64* address, uint64 value) {
    return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
}

inline uint64 exchangeDeviceIf(bool wanted, uint64* address, uint64 value) {
    return wanted ? exchangeDevice(address, value) : 0;
}

inline uint64 loadRelaxedSystemIf(bool wanted, const uint64* address) {
    return wanted ? loadRelaxedSystem(address) : 0;
}

inline void storeRelaxedSystemIf(bool wanted, uint64* address, uint64 value) {
    if (wanted) {
        storeRelaxedSystem(address, value);
    }
}

inline bool compareAndSetDevice(uint64* address, uint64 expected, uint64 desired) {
    emulation::breathe();
    return __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

inline void fenceSystem() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

inline void pausePolling() {}

inline bool looksInRound(uint32) { return true; }

inline Words2 load8(uint64 address) {
    emulation::aligned(address, 8);
    const volatile uint32* words = (const volatile uint32*)address;
    uint32 x = words[0], y = words[1];
    return Words2{x, y};
}

inline void store8(uint64 address, Words2 value) {
    emulation::aligned(address, 8);
    ((volatile uint32*)address)[0] = value.x;
    ((volatile uint32*)address)[1] = value.y;
}

inline Words4 load16(uint64 address) {
    emulation::aligned(address, 16);
    Words2 low = load8(address), high = load8(address + 8);
    return Words4{low.x, low.y, high.x, high.y};
}

inline void store16(uint64 address, Words4 value) {
    emulation::aligned(address, 16);
    store8(address, Words2{value.x, value.y});
    store8(address + 8, Words2{value.z, value.w});
}

inline Words2 load8If(bool wanted, uint64 address) { return wanted ? load8(address) : Words2{0, 0}; }

inline Words4 load16If(bool wanted, uint64 address) { return wanted ? load16(address) : Words4{0, 0, 0, 0}; }

template <class T>
T loadSmall(uint64 address) { return *(const volatile T*)address; }

template <class T>
void storeSmall(uint64 address, T value) { *(volatile T*)address = value; }

inline Words2 loadPair(uint64 address) {
    emulation::aligned(address, 8);
    emulation::breathe();
    uint64 both = __atomic_load_n((const uint64*)address, __ATOMIC_ACQUIRE);
    return Words2{(uint32)both, (uint32)(both >> 32)};
}

inline void storePair(uint64 address, Words2 value) {
    emulation::aligned(address, 8);
    __atomic_store_n((uint64*)address, (uint64)value.y << 32 | value.x, __ATOMIC_RELEASE);
}

// A GPU loads both halves at once. Here the second half, which may hold the flag of a line, is loaded before the first,
// and is stored after it.
inline Words4 loadPairs(uint64 address) {
    emulation::aligned(address, 16);
    const Words2 high = loadPair(address + 8);
    const Words2 low = loadPair(address);
    return Words4{low.x, low.y, high.x, high.y};
}

inline void storePairs(uint64 address, Words4 value) {
    emulation::aligned(address, 16);
    storePair(address, Words2{value.x, value.y});
    storePair(address + 8, Words2{value.z, value.w});
}

// Multicast: an instruction accesses the memory of each member of a group.

inline void fenceAliases() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

struct MulticastMembers {
    unsigned count;
    unsigned long at[64];
    MulticastMembers(uint64 address, unsigned bytes) {
        emulation::aligned(address, bytes);
        count = emulation::place.members(address, bytes, at);
    }
};

inline void multicastStore(uint64 address, Words4 value) {
    MulticastMembers members(address, sizeof value);
    for (unsigned i = 0; i < members.count; i++) {
        store16(members.at[i], value);
    }
}

inline void multicastStore(uint64 address, uint32 value) {
    MulticastMembers members(address, sizeof value);
    for (unsigned i = 0; i < members.count; i++) {
        *(volatile uint32*)members.at[i] = value;
    }
}

// A pair of words arrives as a whole.
inline void multicastStore(uint64 address, Words2 value) {
    MulticastMembers members(address, sizeof value);
    for (unsigned i = 0; i < members.count; i++) {
        storePair(members.at[i], value);
    }
}

// The reduction by a switch is that of the device library, in the order in which the members were added.
template <class Element, class Operator, class Raw, uint32 Architecture>
struct EmulatedReduction {
    static constexpr bool kExists = __CUDA_ARCH__ >= Architecture;
    using Unit = Raw;

    static Raw loadIf(bool wanted, uint64 address) {
        if (!wanted) {
            return Raw{};
        }
        MulticastMembers members(address, sizeof(Raw));
        Accumulator<Element, Operator, Raw> sum;
        sum.start(loadUnit<Raw>(members.at[0]));
        for (unsigned i = 1; i < members.count; i++) {
            sum.add(loadUnit<Raw>(members.at[i]));
        }
        return sum.result();
    }
};

#define MSCCLJ_SWITCH_REDUCTION(Name, Architecture, Raw, instruction, Element, Operator) \
    using Name = EmulatedReduction<Element, Operator, Raw, Architecture>;

template <int Bytes>
struct AtomicWord {
    using Type = uint8;
};
template <>
struct AtomicWord<2> {
    using Type = uint16;
};
template <>
struct AtomicWord<4> {
    using Type = uint32;
};
template <>
struct AtomicWord<8> {
    using Type = uint64;
};

template <class Element, class Operator, class Raw, uint32 Architecture>
struct EmulatedUpdate {
    static constexpr bool kExists = __CUDA_ARCH__ >= Architecture;
    using Unit = Raw;
    using Stored = typename Element::Stored;
    using Word = typename AtomicWord<sizeof(Stored)>::Type;

    static void apply(uint64 address, Raw value) {
        MulticastMembers members(address, sizeof(Raw));
        Stored elements[sizeof(Raw) / sizeof(Stored)];
        __builtin_memcpy(elements, &value, sizeof value);
        for (unsigned i = 0; i < members.count; i++) {
            for (unsigned k = 0; k < sizeof(Raw) / sizeof(Stored); k++) {
                combine((Word*)members.at[i] + k, elements[k]);
            }
        }
    }

private:
    static void combine(Word* place, Stored element) {
        Word before = __atomic_load_n(place, __ATOMIC_RELAXED), after;
        do {
            Stored old;
            __builtin_memcpy(&old, &before, sizeof old);
            const Stored combined = Element::narrow(Operator::combine(Element::widen(old), Element::widen(element)));
            __builtin_memcpy(&after, &combined, sizeof after);
        } while (!__atomic_compare_exchange_n(place, &before, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
};

#define MSCCLJ_SWITCH_UPDATE(Name, Architecture, Raw, instruction, Element, Operator) \
    using Name = EmulatedUpdate<Element, Operator, Raw, Architecture>;

// A block has fewer threads here than on a GPU: each is a warp.
struct Warp {
    static constexpr uint32 kThreads = 1;
};
inline void syncWarp() {}

// One in two times, so that both ways are taken.
inline bool isWarpTogether() {
    static thread_local unsigned calls;
    return ++calls % 2 == 0;
}

inline bool allOfWarp(bool condition) { return condition; }

inline uint64 deviceNanos() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64)now.tv_sec * 1000000000 + (uint64)now.tv_nsec;
}

inline void trap() { emulation::place.fault(emulation::LAUNCH_FAILED); }

template <class T>
T least(T a, T b) {
    return a != a ? a : b != b ? b : a < b || (a == b && __builtin_signbit(a)) ? a : b;
}

template <class T>
T greatest(T a, T b) {
    return a != a ? a : b != b ? b : a > b || (a == b && !__builtin_signbit(a)) ? a : b;
}

// min.NaN and max.NaN of a GPU give the same NaN for all.
inline float minimum(float a, float b) { return a != a || b != b ? __builtin_nanf("") : least(a, b); }
inline float maximum(float a, float b) { return a != a || b != b ? __builtin_nanf("") : greatest(a, b); }
inline double minimum(double a, double b) { return least(a, b); }
inline double maximum(double a, double b) { return greatest(a, b); }

inline float widenFloat16(uint16 bits) {
    _Float16 half;
    __builtin_memcpy(&half, &bits, sizeof half);
    return (float)half;
}

inline uint16 narrowFloat16(float value) {
    _Float16 half = (_Float16)value;
    uint16 bits;
    __builtin_memcpy(&bits, &half, sizeof bits);
    return bits;
}

inline uint16 narrowBfloat16(float value) {
    uint32 all;
    __builtin_memcpy(&all, &value, sizeof all);
    return (uint16)(value != value ? 0x7fff : (all + 0x7fff + (all >> 16 & 1)) >> 16);
}

template <int Mantissa>
struct Float8Instructions {
    static constexpr bool kAreOcp = false;
    static constexpr bool kAreFnuz = false;
};

} // namespace mscclj
