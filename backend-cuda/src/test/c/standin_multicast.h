/*
 * Multicast objects of the stand-in for the driver; a part of standin_cuda.c, behind its virtual memory.
 *
 * An object is a file without a name, which each process that has it maps: the state of the team lies there, so that a
 * descriptor is all that another process needs. Memory that a process has bound is a file too, which others open by way
 * of /proc. If the process has ended since, they see zeros there.
 *
 * Memory stays bound until it is unbound, or until no process has the object any more, whoever has bound it.
 *
 * A mapped object has no memory of its own. Plain accesses to it are errors, as on a GPU. Kernels ask for the addresses
 * of the members' memory (multicast_members), as each multimem instruction of arch/emulated.cuh does.
 *
 * As with the real driver, binding and mapping wait until all devices have been added, however long that takes.
 */

enum { MULTICAST_MINIMUM = 2 << 20, MULTICAST_RECOMMENDED = 4 << 20, MOST_BINDINGS = 512, MOST_HOLDERS = 64 };

#define MULTICAST_NAME "standin-multicast"

/* Memory of a device at a position of an object. */
typedef struct {
    uint64_t id; /* 0: none */
    int device, process, descriptor;
    uint64_t offset, bytes, memory_offset;
} Binding;

typedef struct Team {
    pthread_mutex_t lock; /* of all processes; survives the end of any */
    int members, added, shareable;
    int devices[MOST_DEVICES];
    uint64_t serial; /* of no other object */
    uint64_t bytes;
    uint64_t changes; /* of bindings */
    uint64_t bound;   /* how often */
    Binding bindings[MOST_BINDINGS];
    struct {
        int process, handles; /* 0: none */
    } holders[MOST_HOLDERS];
} Team;

/*
 * What this process has bound by way of a handle. It holds the memory, and goes on doing so when the handle is gone,
 * as long as any process that lives has the object.
 */
typedef struct Bound {
    struct Bound *next;
    const Handle *object; /* NULL: gone */
    Team *team;
    Handle *memory;
    uint64_t id;
} Bound;

/* Where memory of a binding is in this process. */
typedef struct View {
    struct View *next;
    const Team *team;
    uint64_t id, bytes;
    char *start;
} View;

static Bound *bounds;
static View *views;
static uint64_t forgotten; /* how often views of this process were unmapped */
static long objects;       /* that this process has created or imported */

typedef struct {
    unsigned devices;
    size_t bytes;
    unsigned long long handles, flags;
} MulticastProperties;

static void lock_team(Team *team) {
    if (pthread_mutex_lock(&team->lock) == EOWNERDEAD) {
        pthread_mutex_consistent(&team->lock);
    }
}

static void changed(Team *team) {
    __atomic_add_fetch(&team->changes, 1, __ATOMIC_SEQ_CST);
}

static int has_multicast(int device) {
    return device >= 0 && device < setting("STANDIN_DEVICES", 2) && setting("STANDIN_MULTICAST", 1);
}

static CUresult check_properties(const MulticastProperties *properties) {
    if (!initialized) {
        return NOT_INITIALIZED;
    }
    if (!has_multicast(0)) {
        return NOT_SUPPORTED;
    }
    if (properties->handles & ~1ull) {
        return NOT_SUPPORTED; /* handles of a fabric, among others */
    }
    return properties->flags || properties->devices == 0 || properties->devices > (unsigned) setting("STANDIN_DEVICES", 2)
                   || properties->bytes == 0
               ? INVALID_VALUE
               : OK;
}

CUresult cuMulticastGetGranularity(size_t *bytes, const MulticastProperties *properties, int option) {
    INJECTED();
    *bytes = option ? MULTICAST_RECOMMENDED : MULTICAST_MINIMUM;
    return option < 0 || option > 1 ? INVALID_VALUE : check_properties(properties);
}

/* With the lock of the team. Whether a process that lives has the object. Those that do not are forgotten. */
static int is_held(Team *team) {
    int held = 0;
    for (int i = 0; i < MOST_HOLDERS; i++) {
        if (team->holders[i].process && kill(team->holders[i].process, 0) && errno == ESRCH) {
            team->holders[i].process = team->holders[i].handles = 0;
        }
        held |= team->holders[i].handles > 0;
    }
    return held;
}

/* With the lock of the team. */
static void hold_team(Team *team, int handles) {
    int place = -1;
    for (int i = MOST_HOLDERS - 1; i >= 0; i--) {
        place = team->holders[i].process == 0 && (place < 0 || team->holders[place].process == 0) ? i : place;
        place = team->holders[i].process == getpid() ? i : place;
    }
    if (place < 0) {
        fprintf(stderr, "stand-in driver: more than %d processes have a multicast object\n", MOST_HOLDERS);
        abort();
    }
    team->holders[place].handles += handles;
    team->holders[place].process = team->holders[place].handles ? getpid() : 0;
}

/* A handle of the object that is a file. The handle owns the descriptor. */
static CUresult open_team(Handle **handle, int descriptor) {
    Team *team = mmap(NULL, sizeof *team, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (team == MAP_FAILED) {
        close(descriptor);
        return OUT_OF_MEMORY;
    }
    lock_team(team);
    hold_team(team, 1);
    pthread_mutex_unlock(&team->lock);
    Handle *made = calloc(1, sizeof *made);
    made->descriptor = descriptor;
    made->bytes = team->bytes;
    made->shareable = team->shareable;
    made->references = 1;
    made->ordinal = -1;
    made->team = team;
    *handle = made;
    count(HANDLES, 1);
    __atomic_add_fetch(&objects, 1, __ATOMIC_SEQ_CST);
    return OK;
}

static void release_forgotten(void);

CUresult cuMulticastCreate(Handle **handle, const MulticastProperties *properties) {
    INJECTED();
    release_forgotten();
    CUresult result = check_properties(properties);
    if (result || properties->bytes % MULTICAST_MINIMUM) {
        return result ? result : INVALID_VALUE;
    }
    int descriptor = memfd_create(MULTICAST_NAME, MFD_CLOEXEC);
    if (ftruncate(descriptor, sizeof(Team))) {
        close(descriptor);
        return OUT_OF_MEMORY;
    }
    Team *team = mmap(NULL, sizeof *team, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (team == MAP_FAILED) {
        close(descriptor);
        return OUT_OF_MEMORY;
    }
    pthread_mutexattr_t shared;
    pthread_mutexattr_init(&shared);
    pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&team->lock, &shared);
    pthread_mutexattr_destroy(&shared);
    static uint32_t created;
    team->serial = (uint64_t) getpid() << 32 | __atomic_add_fetch(&created, 1, __ATOMIC_SEQ_CST);
    team->members = (int) properties->devices;
    team->bytes = properties->bytes;
    team->shareable = properties->handles & 1;
    munmap(team, sizeof *team);
    return open_team(handle, descriptor);
}

static int is_member(const Team *team, int device) {
    for (int i = 0; i < team->added; i++) {
        if (team->devices[i] == device) {
            return 1;
        }
    }
    return 0;
}

CUresult cuMulticastAddDevice(Handle *handle, CUdevice device) {
    INJECTED();
    if (!handle->team) {
        return INVALID_VALUE;
    }
    if (device < 0 || device >= setting("STANDIN_DEVICES", 2)) {
        return INVALID_DEVICE;
    }
    if (!has_multicast(device)) {
        return NOT_SUPPORTED;
    }
    Team *team = handle->team;
    lock_team(team);
    CUresult result = INVALID_VALUE;
    if (team->added < team->members && !is_member(team, device)) {
        team->devices[team->added] = device;
        __atomic_store_n(&team->added, team->added + 1, __ATOMIC_RELEASE);
        result = OK;
    }
    pthread_mutex_unlock(&team->lock);
    return result;
}

static void await_devices(const Team *team) {
    while (__atomic_load_n(&team->added, __ATOMIC_ACQUIRE) < team->members) {
        usleep(500);
    }
}

static int overlaps(const Binding *one, int device, uint64_t offset, uint64_t bytes) {
    return one->id && one->device == device && one->offset < offset + bytes && offset < one->offset + one->bytes;
}

/* With the lock of the team. */
static Binding *free_binding(Team *team, int device, uint64_t offset, uint64_t bytes) {
    Binding *found = NULL;
    for (int i = 0; i < MOST_BINDINGS; i++) {
        if (overlaps(&team->bindings[i], device, offset, bytes)) {
            return NULL;
        }
        found = found || team->bindings[i].id ? found : &team->bindings[i];
    }
    return found;
}

static CUresult bind(Handle *object, uint64_t offset, Handle *memory, uint64_t memory_offset, uint64_t bytes,
                     unsigned long long flags) {
    Team *team = object->team;
    if (!team || memory->team || flags || bytes == 0 || (offset | memory_offset | bytes) % MULTICAST_MINIMUM
        || offset + bytes > team->bytes || memory_offset + bytes > memory->bytes || (team->shareable && !memory->shareable)) {
        return INVALID_VALUE;
    }
    await_devices(team);
    if (!is_member(team, memory->ordinal)) { /* of another device, or of another process */
        return INVALID_DEVICE;
    }
    lock_team(team);
    Binding *place = free_binding(team, memory->ordinal, offset, bytes);
    uint64_t id = place ? ++team->bound : 0;
    if (place) {
        *place = (Binding) {id, memory->ordinal, getpid(), memory->descriptor, offset, bytes, memory_offset};
        changed(team);
    }
    pthread_mutex_unlock(&team->lock);
    if (!place) {
        return INVALID_VALUE;
    }
    Bound *made = malloc(sizeof *made);
    __atomic_add_fetch(&memory->references, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&lock);
    *made = (Bound) {bounds, object, team, memory, id};
    bounds = made;
    pthread_mutex_unlock(&lock);
    count(BINDINGS, 1);
    return OK;
}

CUresult cuMulticastBindMem(Handle *object, size_t offset, Handle *memory, size_t memory_offset, size_t bytes,
                            unsigned long long flags) {
    INJECTED();
    return bind(object, offset, memory, memory_offset, bytes, flags);
}

CUresult cuMulticastBindAddr(Handle *object, size_t offset, CUdeviceptr address, size_t bytes, unsigned long long flags) {
    INJECTED();
    pthread_mutex_lock(&lock);
    Range *range = range_at(address);
    Handle *memory = range ? range->mapped : NULL;
    pthread_mutex_unlock(&lock);
    return memory ? bind(object, offset, memory, address - (CUdeviceptr) range->start, bytes, flags) : INVALID_VALUE;
}

/* Ends a binding, which is in no list any more. */
static void release_bound(Bound *one) {
    lock_team(one->team);
    for (int i = 0; i < MOST_BINDINGS; i++) {
        if (one->team->bindings[i].id == one->id) {
            one->team->bindings[i].id = 0;
        }
    }
    changed(one->team);
    pthread_mutex_unlock(&one->team->lock);
    drop(one->memory);
    free(one);
}

/* Ends the binding of an object with a number. */
static void release_binding(const Handle *object, uint64_t id) {
    pthread_mutex_lock(&lock);
    Bound **link = &bounds;
    while (*link && ((*link)->team->serial != object->team->serial || (*link)->id != id)) {
        link = &(*link)->next;
    }
    Bound *found = *link;
    if (found) {
        *link = found->next;
    }
    pthread_mutex_unlock(&lock);
    if (found) {
        Team *own = found->object ? NULL : found->team;
        count(BINDINGS, found->object ? -1 : 0);
        release_bound(found);
        if (own) {
            munmap(own, sizeof *own);
        }
    }
}

/* Ends what was bound by way of handles that are gone, of objects that no process has any more. */
static void release_forgotten(void) {
    Bound *gone = NULL;
    pthread_mutex_lock(&lock);
    for (Bound **link = &bounds; *link;) {
        Bound *one = *link;
        int held = 1;
        if (!one->object) {
            lock_team(one->team);
            held = is_held(one->team);
            pthread_mutex_unlock(&one->team->lock);
        }
        if (!held) {
            *link = one->next;
            one->next = gone;
            gone = one;
        } else {
            link = &one->next;
        }
    }
    pthread_mutex_unlock(&lock);
    while (gone) {
        Bound *one = gone;
        gone = one->next;
        Team *team = one->team;
        release_bound(one);
        munmap(team, sizeof *team);
    }
}

CUresult cuMulticastUnbind(Handle *object, CUdevice device, size_t offset, size_t bytes) {
    INJECTED();
    Team *team = object->team;
    if (!team) {
        return INVALID_VALUE;
    }
    if (device < 0 || device >= setting("STANDIN_DEVICES", 2)) {
        return INVALID_DEVICE;
    }
    uint64_t id = 0;
    lock_team(team);
    for (int i = 0; i < MOST_BINDINGS; i++) {
        const Binding *one = &team->bindings[i];
        if (one->id && one->device == device && one->offset == offset && one->bytes == bytes && one->process == getpid()) {
            id = one->id;
        }
    }
    pthread_mutex_unlock(&team->lock);
    if (id) {
        release_binding(object, id);
    }
    return id ? OK : INVALID_VALUE;
}

/* Unmaps the memory of members that was mapped for a handle. */
static void close_views(const Team *team) {
    pthread_mutex_lock(&lock);
    for (View **link = &views; *link;) {
        View *view = *link;
        if (view->team == team) {
            *link = view->next;
            munmap(view->start, view->bytes);
            free(view);
            __atomic_add_fetch(&forgotten, 1, __ATOMIC_SEQ_CST);
        } else {
            link = &view->next;
        }
    }
    pthread_mutex_unlock(&lock);
}

/*
 * The last reference to a handle of an object is gone. What was bound by way of it stays bound as long as the object
 * lives.
 */
static void close_team(Handle *handle) {
    close_views(handle->team);
    pthread_mutex_lock(&lock);
    for (Bound *one = bounds; one; one = one->next) {
        if (one->object == handle) {
            one->object = NULL;
            /* Of its own, as that of the handle goes. */
            one->team = mmap(NULL, sizeof *one->team, PROT_READ | PROT_WRITE, MAP_SHARED, handle->descriptor, 0);
            count(BINDINGS, -1);
        }
    }
    pthread_mutex_unlock(&lock);
    lock_team(handle->team);
    hold_team(handle->team, -1);
    pthread_mutex_unlock(&handle->team->lock);
    munmap(handle->team, sizeof *handle->team);
    release_forgotten();
}

/* Whether a descriptor is an object, and not memory. */
static int is_multicast(int descriptor) {
    char path[64], name[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(path, name, sizeof name - 1);
    name[length < 0 ? 0 : length] = 0;
    return strstr(name, MULTICAST_NAME) != NULL;
}

/* With the lock. Where the memory of a binding is in this process; a process that has ended has left zeros. */
static char *view_of(const Team *team, const Binding *binding) {
    for (const View *view = views; view; view = view->next) {
        if (view->team == team && view->id == binding->id) {
            return view->start;
        }
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", binding->process, binding->descriptor);
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    char *start = descriptor < 0
                      ? mmap(NULL, binding->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                      : mmap(NULL, binding->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, (off_t) binding->memory_offset);
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (start == MAP_FAILED) {
        fprintf(stderr, "stand-in driver: memory of a multicast group cannot be mapped\n");
        abort();
    }
    View *made = malloc(sizeof *made);
    *made = (View) {views, team, binding->id, binding->bytes, start};
    views = made;
    return start;
}

static long accesses[MOST_DEVICES]; /* by multicast addresses */

/* How many accesses by multicast addresses a device has made in this process. */
long standin_multimem_of(int device) {
    return __atomic_load_n(&accesses[device], __ATOMIC_RELAXED);
}

/* How many all devices have made. */
long standin_multimem(void) {
    long all = 0;
    for (int device = 0; device < MOST_DEVICES; device++) {
        all += standin_multimem_of(device);
    }
    return all;
}

/*
 * What each process that has created or imported a multicast object adds to the file STANDIN_REPORT when it ends: a
 * line "multicast objects COUNT of PROCESS, left HANDLES, RANGES, MAPPINGS, BINDINGS", and for each GPU that has used
 * one "multicast accesses COUNT of GPU by PROCESS".
 */
__attribute__((destructor)) static void report(void) {
    const char *file = getenv("STANDIN_REPORT");
    int to = file && objects ? open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) : -1;
    char lines[8192];
    int length = snprintf(lines, sizeof lines, "multicast objects %ld of %d, left %ld, %ld, %ld, %ld\n", objects, getpid(),
                          live[HANDLES], live[RANGES], live[MAPPINGS], live[BINDINGS]);
    for (int device = 0; device < MOST_DEVICES && length < (int) sizeof lines - 128; device++) {
        if (accesses[device]) {
            length += snprintf(lines + length, sizeof lines - (size_t) length, "multicast accesses %ld of %d by %d\n", accesses[device], device,
                               getpid());
        }
    }
    if (to >= 0 && write(to, lines, (size_t) length) == length) { /* at once, as others write too */
        close(to);
    }
}

/* A part of a mapped object where each member's memory is contiguous. */
typedef struct {
    uint64_t start, end;
    const Team *team;
    uint64_t changes, forgotten;
    unsigned count;
    char *members[MOST_DEVICES];
} Window;

/* With the lock. Whether all members have bound memory there. */
static int find_window(Window *window, Range *range, uint64_t address) {
    Team *team = range->mapped->team;
    uint64_t offset = address - (uint64_t) range->start, before = offset, behind = UINT64_MAX;
    *window = (Window) {.team = team,
                        .changes = __atomic_load_n(&team->changes, __ATOMIC_SEQ_CST),
                        .forgotten = __atomic_load_n(&forgotten, __ATOMIC_SEQ_CST)};
    lock_team(team);
    for (int member = 0; member < team->added; member++) {
        for (int i = 0; i < MOST_BINDINGS; i++) {
            const Binding *one = &team->bindings[i];
            if (overlaps(one, team->devices[member], offset, 1)) {
                window->members[window->count++] = view_of(team, one) + (offset - one->offset);
                before = offset - one->offset < before ? offset - one->offset : before;
                uint64_t left = one->offset + one->bytes - offset;
                behind = left < behind ? left : behind;
                break;
            }
        }
    }
    pthread_mutex_unlock(&team->lock);
    window->start = address - before;
    window->end = address + behind;
    for (unsigned i = 0; i < window->count; i++) {
        window->members[i] -= before;
    }
    return (int) window->count == team->members;
}

/*
 * The addresses of the members' memory, for so many bytes, at a multicast address that a device has mapped; returns
 * their number. 0: there is no such mapping, the device may not access it, or a member has bound nothing there.
 */
static unsigned multicast_members(int device, uint64_t address, unsigned bytes, uint64_t *members) {
    static __thread Window window;
    int result = injected("multimem");
    if (result) {
        return 0;
    }
    __atomic_add_fetch(&accesses[device], 1, __ATOMIC_RELAXED);
    if (!window.count || address < window.start || address >= window.end
        || window.changes != __atomic_load_n(&window.team->changes, __ATOMIC_SEQ_CST)
        || window.forgotten != __atomic_load_n(&forgotten, __ATOMIC_SEQ_CST)) {
        pthread_mutex_lock(&lock);
        Range *range = range_at(address);
        int found = range && range->mapped && range->mapped->team && range->ordinal == device
                    && find_window(&window, range, address);
        pthread_mutex_unlock(&lock);
        if (!found) {
            window.count = 0;
            return 0;
        }
    }
    if (address + bytes > window.end) {
        return 0;
    }
    for (unsigned i = 0; i < window.count; i++) {
        members[i] = (uint64_t) window.members[i] + (address - window.start);
    }
    return window.count;
}
