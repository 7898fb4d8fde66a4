/*
 * An NVRTC whose code runs on processors. The compiler c++ (EMULATION_CXX, EMULATION_CXXFLAGS) and the header
 * emulated_device.hpp, which lies in EMULATION_DIR, make C++ of CUDA C++. The "code" that it gives is the word
 * EMULATED, its size, and a shared library, which the stand-in for the driver loads. If EMULATION_SOURCES is set, each
 * source is kept as it came in a file of that folder. Of the options only the architecture matters.
 *
 * arch/emulated.cuh takes the place of the device library's file for a vendor. Other instructions of GPUs,
 * asm("mnemonic operands;"), are an error of the C++ compiler, which the log has.
 */
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

enum { SUCCESS = 0, INVALID_INPUT = 3, COMPILATION = 6 };

struct Program {
    std::string source, log, code, architecture; // 900 for sm_90
};

std::string setting(const char* name, const char* otherwise) {
    const char* value = getenv(name);
    return value && *value ? value : otherwise;
}

bool isWord(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Behind the string or character that begins here; appends what is in it.
std::size_t readString(const std::string& text, std::size_t at, std::string& content) {
    const char quote = text[at];
    for (at++; text.at(at) != quote; at++) {
        if (text[at] == '\\') {
            content += text[at++];
        }
        content += text.at(at);
    }
    return at + 1;
}

// Behind the bracket that closes the one here.
std::size_t closing(const std::string& text, std::size_t at) {
    int depth = 0;
    do {
        depth += text.at(at) == '(' ? 1 : text[at] == ')' ? -1 : 0;
        at++;
    } while (depth > 0);
    return at;
}

// Behind the comment, string or definition of a macro that begins here, or here.
std::size_t skipText(const std::string& source, std::size_t at) {
    if (source.compare(at, 2, "//") == 0 || source.compare(at, 8, "#define ") == 0) {
        return std::min(source.find('\n', at), source.size());
    }
    if (source.compare(at, 2, "/*") == 0) {
        return source.find("*/", at) + 2;
    }
    std::string ignored;
    bool begins = source[at] == '"' || (source[at] == '\'' && !(at > 0 && isWord(source[at - 1]))); // not a separator
    return begins ? readString(source, at, ignored) : at;
}

// The name of the kernel whose __global__ is here.
std::string kernelAt(const std::string& source, std::size_t at) {
    std::string word;
    for (at += strlen("__global__");; at++) {
        if (isWord(source.at(at))) {
            word += source[at];
        } else if (source[at] == '(') {
            if (word != "__launch_bounds__") {
                return word;
            }
            at = closing(source, at) - 1;
            word.clear();
        } else if (isWord(source.at(at + 1))) {
            word.clear();
        }
    }
}

std::string translate(const std::string& source) {
    std::string result = "#include \"emulated_device.hpp\"\n";
    std::set<std::string> kernels; // some are declared before they are defined
    for (std::size_t at = 0; at < source.size();) {
        std::size_t behind = skipText(source, at);
        if (behind > at) {
            result.append(source, at, behind - at);
            at = behind;
            continue;
        }
        if (source.compare(at, 10, "__global__") == 0) {
            kernels.insert(kernelAt(source, at));
        }
        result += source[at++];
    }
    for (const std::string& kernel : kernels) {
        result += "\nEMULATED_KERNEL(" + kernel + ")\n";
    }
    return result;
}

std::string read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

void write(const std::string& file, const std::string& content) {
    std::ofstream out(file, std::ios::binary);
    out << content;
    if (!out.flush()) {
        throw std::runtime_error(file + " cannot be written");
    }
}

// A folder of its own for a compilation, which is gone afterwards.
class Folder {
public:
    Folder() : path_(setting("TMPDIR", "/tmp") + "/emulated-XXXXXX") {
        if (!mkdtemp(path_.data())) {
            throw std::runtime_error("no folder can be made in " + path_);
        }
    }

    ~Folder() {
        for (const char* name : {"kernel.cpp", "kernel.so", "log"}) {
            unlink(file(name).c_str());
        }
        rmdir(path_.c_str());
    }

    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

// Whether a command has ended well; what it says goes into a file.
bool run(const std::vector<std::string>& command, const std::string& log) {
    std::vector<char*> words;
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    // Sockets of a process that is killed must end with it, and not with its compiler.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    pid_t process;
    int failure = posix_spawnp(&process, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        throw std::runtime_error(command[0] + " cannot be started: " + strerror(failure));
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void keep(const std::string& source) {
    std::string folder = setting("EMULATION_SOURCES", "");
    if (!folder.empty()) {
        write(folder + "/" + std::to_string(std::hash<std::string>{}(source)) + ".cu", source);
    }
}

// Backends of several vendors compile the same source: what was compiled is in a file, behind its source.
std::string objectOf(const std::string& source) {
    std::string folder = setting("EMULATION_OBJECTS", "");
    return folder.empty() ? "" : folder + "/" + std::to_string(std::hash<std::string>{}(source));
}

bool takeObject(Program& program) {
    std::string file = objectOf(program.source + program.architecture);
    std::string content = file.empty() ? "" : read(file);
    std::string source = program.source + program.architecture + '\0';
    if (content.compare(0, source.size(), source) != 0) {
        return false;
    }
    program.code = content.substr(source.size());
    return true;
}

void putObject(const Program& program) {
    std::string file = objectOf(program.source + program.architecture);
    if (file.empty()) {
        return;
    }
    // Other processes see all of it or nothing. A folder that cannot be written, as in a guest, gets none.
    std::string part = file + "." + std::to_string(getpid()) + "." + std::to_string((std::uintptr_t)&program);
    std::ofstream out(part, std::ios::binary);
    out << program.source << program.architecture << '\0' << program.code;
    if (!out.flush() || rename(part.c_str(), file.c_str()) != 0) {
        unlink(part.c_str());
    }
}

int compile(Program& program) {
    if (takeObject(program)) {
        keep(program.source);
        return SUCCESS;
    }
    Folder folder;
    write(folder.file("kernel.cpp"), translate(program.source));
    std::vector<std::string> command = {setting("EMULATION_CXX", "c++"), "-std=c++17", "-w", "-shared", "-fPIC", "-pthread",
                                        "-fvisibility=hidden", "-fno-gnu-unique", "-ffp-contract=off",
                                        "-DMSCCLJ_ARCH_FILE=\"arch/emulated.cuh\"", "-D__CUDA_ARCH__=" + program.architecture};
    std::istringstream options(setting("EMULATION_CXXFLAGS", "-O1"));
    for (std::string option; options >> option;) {
        command.push_back(option);
    }
    command.insert(command.end(), {"-I", setting("EMULATION_DIR", "."), folder.file("kernel.cpp"), "-o", folder.file("kernel.so")});
    bool ended = run(command, folder.file("log"));
    program.log = read(folder.file("log"));
    if (!ended) {
        return COMPILATION;
    }
    std::string library = read(folder.file("kernel.so"));
    std::uint64_t bytes = library.size();
    program.code = "EMULATED" + std::string((const char*)&bytes, sizeof bytes) + library;
    keep(program.source);
    putObject(program);
    return SUCCESS;
}

} // namespace

extern "C" {

// Of no real one: its code is not to be taken for that of a GPU.
int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 99;
    return SUCCESS;
}

const char* nvrtcGetErrorString(int result) {
    return result == COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_INVALID_INPUT";
}

int nvrtcCreateProgram(Program** program, const char* source, const char*, int headers, const char** contents, const char** names) {
    if (headers || contents || names) {
        return INVALID_INPUT;
    }
    *program = new Program{source, "", "", "900"};
    return SUCCESS;
}

int nvrtcCompileProgram(Program* program, int count, const char** options) {
    const std::string begin = "--gpu-architecture=sm_";
    for (int i = 0; i < count; i++) {
        const std::string option = options[i];
        if (option.compare(0, begin.size(), begin) == 0) {
            // what is for one GPU has all that its architecture has
            program->architecture = std::to_string(10 * std::atoi(option.c_str() + begin.size()));
        }
    }
    try {
        return compile(*program);
    } catch (const std::exception& e) { // of a source that is not understood, or a disk that is full
        program->log = e.what();
        return COMPILATION;
    }
}

int nvrtcGetProgramLogSize(Program* program, std::size_t* bytes) {
    *bytes = program->log.size() + 1;
    return SUCCESS;
}

int nvrtcGetProgramLog(Program* program, char* log) {
    memcpy(log, program->log.c_str(), program->log.size() + 1);
    return SUCCESS;
}

int nvrtcGetCUBINSize(Program* program, std::size_t* bytes) {
    *bytes = program->code.size();
    return SUCCESS;
}

int nvrtcGetCUBIN(Program* program, char* code) {
    memcpy(code, program->code.data(), program->code.size());
    return SUCCESS;
}

int nvrtcDestroyProgram(Program** program) {
    delete *program;
    *program = nullptr;
    return SUCCESS;
}
}
