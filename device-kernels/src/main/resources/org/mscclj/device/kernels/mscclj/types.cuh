// Integers by their size, and groups of words that are moved at once.
#pragma once

namespace mscclj {

using int8 = signed char;
using uint8 = unsigned char;
using int16 = short;
using uint16 = unsigned short;
using int32 = int;
using uint32 = unsigned int;
using int64 = long long;
using uint64 = unsigned long long;

static_assert(sizeof(int64) == 8 && sizeof(int32) == 4 && sizeof(void*) == 8, "64-bit targets only");

struct alignas(8) Words2 {
    uint32 x, y;
};

struct alignas(16) Words4 {
    uint32 x, y, z, w;
};

} // namespace mscclj
