// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace aureole::emulated {

/// Streams and events. With the setting `late`, each stream has a thread, and work starts up to
/// that much later than it was given; without it, work is done at once by whoever gives it, and
/// no thread is ever started.
using Work = std::function<void()>;

struct Stream;
struct Event;
struct Group;
struct Graph;
using StreamPtr = std::shared_ptr<Stream>;
using EventPtr = std::shared_ptr<Event>;
using GroupPtr = std::shared_ptr<Group>;
using GraphPtr = std::shared_ptr<Graph>;

bool streams_are_late();

/// The streams of one context. Its first stream is ordered with all that are blocking: work given
/// to it starts after theirs, and theirs after it.
GroupPtr create_group(int device, void* owner);
void* owner_of(const Group& group);
StreamPtr first_stream(const GroupPtr& group);
StreamPtr create_stream(const GroupPtr& group, bool blocking, int priority);
void destroy_stream(const StreamPtr& stream);
/// Makes all streams of a group unknown, after their work.
void close_group(const GroupPtr& group);

int device_of(const Stream& stream);
bool is_blocking(const Stream& stream);
int priority_of(const Stream& stream);
std::uint64_t id_of(const Stream& stream);
GroupPtr group_of(const Stream& stream);
bool is_closed(const Group& group);

/// Gives work to a stream. `prompt` work starts as soon as order permits.
int give(const StreamPtr& stream, Work work, bool prompt = false);
/// Gives work and returns when it is done.
int give_and_wait(const StreamPtr& stream, Work work);
/// All that was given so far: is it done (`success` or `not_ready`); wait for it.
int ask(const StreamPtr& stream);
int wait(const StreamPtr& stream);
void wait_for_group(const GroupPtr& group);
void wait_for_device(int device);

EventPtr create_event(int device, bool timed, bool shared);
int device_of(const Event& event);
int record(const EventPtr& event, const StreamPtr& stream);
int ask(const EventPtr& event);
int wait(const EventPtr& event);
int follow(const StreamPtr& stream, const EventPtr& event);
int elapsed_ms(const EventPtr& from, const EventPtr& to, float& out);

/// Events of other processes: 64 bytes that name one.
struct Locator;
int export_event(const EventPtr& event, Locator& out);
int import_event(const Locator& where, EventPtr& out);

/// Recording of work instead of doing it.
int begin_capture(const StreamPtr& stream);
int end_capture(const StreamPtr& stream, GraphPtr& out);
bool is_capturing(const StreamPtr& stream, std::uint64_t* id);
int launch_graph(const GraphPtr& graph, const StreamPtr& stream);
GraphPtr copy_graph(const Graph& graph);
std::size_t nodes_of(const Graph& graph);

}  // namespace aureole::emulated
