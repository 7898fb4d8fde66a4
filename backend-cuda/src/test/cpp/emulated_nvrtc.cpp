/*
 * An NVRTC whose code runs on processors: CUDA C++ becomes C++, by the compiler c++ (EMULATION_CXX, EMULATION_CXXFLAGS) and emulated_device.hpp, which lies in
 * EMULATION_DIR. The "code" that it gives is the word EMULATED, its size, and a shared library, which the stand-in for the driver loads. A source is kept as
 * it came in EMULATION_SOURCES, if that is set, a file each.
 *
 * Instructions of the GPU, asm("mnemonic operands;" : outputs : inputs), become calls of functions of their names. One that is not known there is an error
 * of the C++ compiler, which the log has.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

enum { SUCCESS = 0, INVALID_INPUT = 3, COMPILATION = 6 };

struct Program {
    std::string source, log, code;
};

std::atomic<int> compiled;
std::atomic<int> named;

std::string setting(const char* name, const char* otherwise) {
    const char* value = getenv(name);
    return value && *value ? value : otherwise;
}

bool isWord(char c) { return isalnum((unsigned char)c) || c == '_'; }

std::size_t skipSpace(const std::string& text, std::size_t at) {
    while (at < text.size() && isspace((unsigned char)text[at])) {
        at++;
    }
    return at;
}

// Behind the string that begins here; appends what is in it.
std::size_t readString(const std::string& text, std::size_t at, std::string& content) {
    for (at++; text.at(at) != '"'; at++) {
        content += text[at];
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

// What C++ calls an instruction: its mnemonic, with what it means that is not in operands.
std::string nameOf(const std::string& instruction) {
    std::size_t start = instruction.find('@');
    std::string prefix = start == std::string::npos ? "" : "if_";
    start = start == std::string::npos ? 0 : instruction.find(' ', start) + 1;
    std::string name = prefix + instruction.substr(start, instruction.find_first_of(" ;", start) - start);
    for (char& c : name) {
        c = c == '.' ? '_' : c;
    }
    return instruction.find("%globaltimer") == std::string::npos ? name : name + "_globaltimer";
}

// The call that an instruction becomes, its operands in the order in which its text has them.
std::string callOf(const std::string& instruction, const std::vector<std::string>& operands) {
    std::string call = "emulation::ptx::" + nameOf(instruction) + "(";
    const char* separator = "";
    for (std::size_t at = instruction.find('%'); at != std::string::npos; at = instruction.find('%', at + 1)) {
        if (isdigit((unsigned char)instruction[at + 1])) {
            call += separator + operands.at((std::size_t)atoi(instruction.c_str() + at + 1));
            separator = ", ";
        }
    }
    return call + ")";
}

// Appends what the asm( here becomes; behind it.
std::size_t translateAsm(const std::string& source, std::size_t at, std::string& to) {
    std::size_t end = closing(source, at);
    std::string instruction;
    std::vector<std::string> operands;
    at = skipSpace(source, at + 1);
    while (source[at] == '"') {
        at = skipSpace(source, readString(source, at, instruction));
    }
    while (at < end - 1) {
        std::string constraint;
        if (source[at] == '"') {
            at = skipSpace(source, readString(source, at, constraint));
            if (source[at] == '(') {
                std::size_t behind = closing(source, at);
                operands.push_back(source.substr(at, behind - at));
                at = behind;
            }
        } else {
            at++;
        }
    }
    to += callOf(instruction, operands);
    return end;
}

// Where asm( has its bracket, if it begins here; else npos.
std::size_t bracketOfAsm(const std::string& source, std::size_t at) {
    if (source.compare(at, 3, "asm") != 0 || (at > 0 && isWord(source[at - 1])) || isWord(source[at + 3])) {
        return std::string::npos;
    }
    at = skipSpace(source, at + 3);
    if (source.compare(at, 8, "volatile") == 0) {
        at = skipSpace(source, at + 8);
    }
    return source[at] == '(' ? at : std::string::npos;
}

// Behind the comment or string that begins here, or here.
std::size_t skipText(const std::string& source, std::size_t at) {
    if (source.compare(at, 2, "//") == 0) {
        return std::min(source.find('\n', at), source.size());
    }
    if (source.compare(at, 2, "/*") == 0) {
        return source.find("*/", at) + 2;
    }
    std::string ignored;
    return source[at] == '"' ? readString(source, at, ignored) : at;
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
    std::string kernels;
    for (std::size_t at = 0; at < source.size();) {
        std::size_t bracket = bracketOfAsm(source, at);
        if (bracket != std::string::npos) {
            at = translateAsm(source, bracket, result);
            continue;
        }
        std::size_t behind = skipText(source, at);
        if (behind > at) {
            result.append(source, at, behind - at);
            at = behind;
            continue;
        }
        if (source.compare(at, 10, "__global__") == 0) {
            kernels += "EMULATED_KERNEL(" + kernelAt(source, at) + ")\n";
        }
        result += source[at++];
    }
    return result + "\n" + kernels;
}

std::string read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

void write(const std::string& file, const std::string& content) { std::ofstream(file, std::ios::binary) << content; }

int compile(Program& program) {
    std::string folder = setting("EMULATION_DIR", ".");
    std::string stem = setting("TMPDIR", "/tmp") + "/emulated-" + std::to_string(getpid()) + "-" + std::to_string(named++);
    write(stem + ".cpp", translate(program.source));
    std::string command = setting("EMULATION_CXX", "c++") + " -std=c++20 -w -shared -fPIC -pthread -fvisibility=hidden -fno-gnu-unique"
        + " -ffp-contract=off " + setting("EMULATION_CXXFLAGS", "-O1") + " -I'" + folder + "' '" + stem + ".cpp' -o '" + stem
        + ".so' >'" + stem + ".log' 2>&1";
    int result = system(command.c_str()) == 0 ? SUCCESS : COMPILATION;
    program.log = read(stem + ".log");
    std::string library = read(stem + ".so");
    std::uint64_t bytes = library.size();
    program.code = "EMULATED" + std::string((const char*)&bytes, sizeof bytes) + library;
    for (const char* suffix : {".cpp", ".so", ".log"}) {
        unlink((stem + suffix).c_str());
    }
    return result;
}

void keep(const std::string& source) {
    std::string folder = setting("EMULATION_SOURCES", "");
    if (!folder.empty()) {
        write(folder + "/" + std::to_string(std::hash<std::string>{}(source)) + ".cu", source);
    }
}

} // namespace

extern "C" {

int standin_compiled() { return compiled; }

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
    *program = new Program{source, "", ""};
    return SUCCESS;
}

int nvrtcCompileProgram(Program* program, int, const char**) {
    compiled++;
    keep(program->source);
    return compile(*program);
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
