// SPDX-License-Identifier: Apache-2.0
#include "tasks/trace.hpp"

#include <cstdio>
#include <string_view>

namespace aureole::tasks {

std::string Trace::json() const {
    std::string text = "[";
    const auto us = [](auto time) {
        char number[32];
        std::snprintf(number, sizeof number, "%.3f",
                      std::chrono::duration<double, std::micro>(time).count());
        return std::string(number);
    };
    for (std::size_t worker = 0; worker < spans_.size(); ++worker) {
        for (const Span& span : spans_[worker]) {
            text += text.size() > 1 ? ",\n{\"name\": \"" : "\n{\"name\": \"";
            for (const char* c = span.name; *c; ++c) {
                if (*c == '"' || *c == '\\') text += '\\';
                text += static_cast<unsigned char>(*c) < ' ' ? ' ' : *c;
            }
            text += "\", \"ph\": \"X\", \"pid\": 0, \"tid\": " + std::to_string(worker) +
                    ", \"ts\": " + us(span.begin - origin_) +
                    ", \"dur\": " + us(span.end - span.begin) + "}";
        }
    }
    return text + "\n]\n";
}

std::string describe(const Job& job) {
    const std::string_view file = job.place.file_name();
    return '"' + std::string(job.name) + "\" (" + std::string(file.substr(file.rfind('/') + 1)) +
           ':' + std::to_string(job.place.line()) + ')';
}

std::string listed(const std::vector<std::string>& lines) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t k = 0; k < lines.size() && k < most; ++k) text += (k ? "; " : "") + lines[k];
    if (lines.size() > most) text += "; and " + std::to_string(lines.size() - most) + " more";
    return text;
}

}  // namespace aureole::tasks
