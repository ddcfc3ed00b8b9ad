// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <string_view>

#include "io/checkpoint.hpp"
#include "io/shared_checkpoint.hpp"
#include "md/checkpoint/forces_state.hpp"
#include "md/checkpoint/leaves_state.hpp"
#include "md/checkpoint/molecules_state.hpp"
#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/shared_checkpoint.hpp"
#include "md/checkpoint/state_blocks.hpp"
#include "md/pair/particle_columns.hpp"
#include "md/simulation/simulation.hpp"

namespace aureole::md {

/// The plain numbers of a simulation.
struct CheckpointHeader {
    std::int32_t version, precision;
    std::int64_t n, step;
    std::uint64_t seed;
    core::Box box;
    MotionSpec motion;
    ListSpec list;
    std::int64_t n_forces;
};

}  // namespace aureole::md

namespace aureole::io {

template <>
struct PackedMembers<md::CheckpointHeader> {
    using H = md::CheckpointHeader;
    static constexpr std::tuple list{&H::version, &H::precision, &H::n,    &H::step,    &H::seed,
                                     &H::box,     &H::motion,    &H::list, &H::n_forces};
};

}  // namespace aureole::io

namespace aureole::md {

namespace {

constexpr std::int32_t format_version = 2;

/// The first number in every version's header.
void require_version(const StateBlocks& blocks, const std::filesystem::path& path) {
    const auto header = blocks.find("header");
    std::int32_t version = 0;
    if (header == blocks.end() || header->second.size() < sizeof version)
        refuse_block("header", "it is missing");
    std::memcpy(&version, header->second.data(), sizeof version);
    if (version != format_version)
        throw core::FileError(
            path.string() + " cannot be continued",
            "its format is " + std::to_string(version) + ", and this program reads format " +
                std::to_string(format_version),
            "Continue it with the version that wrote it, or begin a new run from its last frame.");
}

std::string bonded_name(std::size_t k, const char* what) {
    return "bonded." + std::to_string(k) + "." + what;
}

void put_bonded(StateBlocks& to, const BondedTerms& bonded) {
    const auto& constants = bonded.constants();
    put(to, "bonded.coulomb", std::span(&constants.coulomb, 1));
    const auto& [with_box, common] = constants.anchors;
    const std::array<double, 4> anchors{with_box ? 1.0 : 0.0, common.x, common.y, common.z};
    put(to, "bonded.anchors", std::span(anchors));
    for (std::size_t k = 0; k < constants.maps.size(); ++k)
        put(to, bonded_name(k, "map"), constants.maps[k]);
    if (constants.periodic_splines) {
        constexpr std::int32_t yes = 1;
        put(to, "bonded.periodic_splines", std::span(&yes, 1));
    }
    for (std::size_t k = 0; k < bonded.lists().size(); ++k) {
        const auto& spec = bonded.lists()[k].spec;
        put(to, bonded_name(k, "name"), std::span(spec.name));
        put(to, bonded_name(k, "tags"), spec.particles);
        put(to, bonded_name(k, "row"), spec.row);
        put(to, bonded_name(k, "parameters"), spec.parameters);
    }
}

BondedTerms get_bonded(const StateBlocks& from, std::int64_t n) {
    BondedTerms bonded;
    BondedConstants constants;
    if (!from.contains("bonded.coulomb")) return bonded;
    constants.coulomb = get<double>(from, "bonded.coulomb", 1)[0];
    if (from.contains("bonded.anchors")) {
        const auto a = get<double>(from, "bonded.anchors", 4);
        require(all_finite(std::span(a)), "bonded.anchors", "a number is not finite");
        constants.anchors = {a[0] != 0, {a[1], a[2], a[3]}};
    }
    for (std::size_t k = 0; from.contains(bonded_name(k, "map")); ++k)
        constants.maps.push_back(get<double>(from, bonded_name(k, "map")));
    if (from.contains("bonded.periodic_splines"))
        constants.periodic_splines = get<std::int32_t>(from, "bonded.periodic_splines", 1)[0] != 0;
    bonded.set_constants(std::move(constants));
    for (std::size_t k = 0; from.contains(bonded_name(k, "name")); ++k) {
        const auto name = get<char>(from, bonded_name(k, "name"));
        bonded.add({{name.begin(), name.end()},
                    get_tags(from, bonded_name(k, "tags"), bonded_name(k, "particles")),
                    get<std::int32_t>(from, bonded_name(k, "row")),
                    get<double>(from, bonded_name(k, "parameters"))},
                   n);
    }
    return bonded;
}

/// Blocks of columns have the names of these, and user columns a prefix.
const std::string user_prefix = "column.", type_suffix = ".type", unit_suffix = ".unit";

std::string block_name(const AnyColumn& column) {
    return (column.spec().of_user ? user_prefix : "") + column.spec().name;
}

/// `rank`: the one whose slices these are; −1 if it has all particles.
void put_columns(StateBlocks& to, device::Queue& queue, Particles& particles, int rank) {
    particles.for_each_column([&](const AnyColumn& column) {
        if (!column.spec().in_checkpoints || !column.in_use()) return;
        const auto name = block_name(column);
        to[rank < 0 ? name : slice_name(name, rank)] = column.bytes(queue);
        if (!column.spec().of_user || rank > 0) return;
        const std::array type{static_cast<std::int32_t>(column.type())};
        put(to, name + type_suffix, std::span(type));
        put(to, name + unit_suffix, std::span(column.spec().unit));
    });
}

/// Adds the user's columns, without values.
void add_columns(const StateBlocks& from, Particles& particles) {
    for (auto at = from.lower_bound(user_prefix);
         at != from.end() && at->first.starts_with(user_prefix); ++at) {
        const auto& block = at->first;
        if (!block.ends_with(type_suffix) ||
            block.size() <= user_prefix.size() + type_suffix.size())
            continue;
        const auto full = block.substr(0, block.size() - type_suffix.size());
        const auto unit = get<char>(from, full + unit_suffix);
        const auto type = static_cast<ElementType>(get<std::int32_t>(from, block, 1)[0]);
        require(may_be_of_user(type), block, "the type is unknown");
        ColumnSpec spec{.name = full.substr(user_prefix.size()),
                        .unit = {unit.begin(), unit.end()},
                        .of_user = true};
        require(particles.find_column(spec.name) == nullptr, block,
                "the engine has a column with that name");
        particles.more.push_back(make_column(type, std::move(spec)));
    }
}

/// Tags had 32 bits once.
void widen_tags(StateBlocks& blocks, std::int64_t n) {
    using Old = std::uint32_t;
    const auto found = blocks.find("tag");
    if (found == blocks.end() || found->second.size() != static_cast<std::size_t>(n) * sizeof(Old))
        return;
    const auto old = get<Old>(blocks, "tag");
    put(blocks, "tag", std::vector<Tag>(old.begin(), old.end()));
}

/// Throws BlockError for values that no run goes on with. `rank`: as in put_columns(). `moves`: as
/// in require_masses(), null where it is not known yet.
void require_columns(const StateBlocks& from, Particles& particles, std::int64_t n_total,
                     int n_types, int rank, const std::vector<std::uint8_t>* moves = nullptr) {
    const auto named = [&](const std::string& block) {
        return rank < 0 ? block : slice_name(block, rank);
    };
    const auto position = get<Vec3d>(from, named("position"));
    const auto n = position.size();
    const auto velocity = get<Vec3d>(from, named("velocity"), n);
    const auto mass = get<double>(from, named("mass"), n);
    const auto type = get<std::int32_t>(from, named("type"), n);
    const auto tag = get<Tag>(from, named("tag"), n);
    if (moves != nullptr) require_masses(mass, tag, *moves);
    require_particles({position, velocity, mass, type, tag, n_types, n_total});
    const auto require_finite = [&](const std::string& block) {
        if (!from.contains(block)) return;
        const auto numbers = get<double>(from, block);
        require(all_finite(std::span(numbers)), block, "a value is not a number");
    };
    require_finite(named("charge"));
    particles.for_each_column([&](const AnyColumn& column) {
        if (column.spec().of_user && std::string_view(element_shape(column.type()).dtype) == "<f8")
            require_finite(named(block_name(column)));
    });
}

/// All columns that checkpoints hold.
void get_columns(const StateBlocks& from, device::Queue& queue, Particles& particles) {
    particles.for_each_column([&](AnyColumn& column) {
        const auto name = block_name(column);
        const bool there = from.contains(name);
        if (!column.spec().in_checkpoints || (!there && column.spec().optional)) return;
        if (!there) refuse_block(name, "it is missing");
        const auto& bytes = from.at(name);
        if (bytes.size() != static_cast<std::size_t>(particles.n) * column.element_size())
            refuse_block(name, "its size is unexpected");
        column.set_bytes(queue, bytes);
    });
}

/// One entry of each particle, or none at all.
template <class T>
std::vector<T> get_each(const StateBlocks& from, const char* name, std::int64_t n) {
    auto data = get<T>(from, name);
    require(data.empty() || data.size() == static_cast<std::size_t>(n), name,
            "its number of particles is wrong");
    return data;
}

/// Parts that a simulation is given by functions that check them, when it is made and when it is
/// restored.
struct ToldParts {
    std::optional<NonbondedSpec> nonbonded;
    std::optional<MeshSpec> mesh;
    std::optional<Exclusions> exclusions;
};

CheckpointHeader get_header(const StateBlocks& blocks) {
    const auto header = get<CheckpointHeader>(blocks, "header", 1)[0];
    require(header.precision == 0 || header.precision == 1, "header", "the precision is unknown");
    require(header.n > 0 && header.n <= 0x7FFFFF00, "header", "the number of particles is invalid");
    require(header.step >= 0 && header.n_forces >= 0, "header", "a number is negative");
    require_box(header.box);
    for (const char* problem : {problem_of(header.motion), problem_of(header.list)})
        require(problem == nullptr, "header", problem);
    return header;
}

/// All but the columns and the lists.
ToldParts get_system(const StateBlocks& blocks, const CheckpointHeader& header, System& s) {
    s.box = header.box, s.motion = header.motion, s.list = header.list;
    s.seed = header.seed, s.step = header.step;
    s.particles.n = header.n;
    for (std::int64_t k = 0; k < header.n_forces; ++k) s.forces.emplace_back(get_force(blocks, k));
    for (const auto& force : s.forces)
        require(force.spec().n_types == s.forces[0].spec().n_types, "force.0.header",
                "forces differ in the number of types");
    get_leaves(blocks, s);
    s.bonded = get_bonded(blocks, header.n);
    if (blocks.contains("lists_outrun")) {
        s.counts.lists_outrun = get<std::int64_t>(blocks, "lists_outrun", 1)[0];
        require(s.counts.lists_outrun >= 0, "lists_outrun", "the number is negative");
    }
    get_molecules(blocks, s);
    s.free_axes = get_each<std::uint8_t>(blocks, "free_axes", header.n);
    s.group = get_each<std::uint8_t>(blocks, "group", header.n);
    s.tail = tail_of(blocks);
    ToldParts told;
    if (blocks.contains("nonbonded")) told.nonbonded = get_nonbonded(blocks);
    if (blocks.contains("mesh")) told.mesh = get_mesh(blocks);
    if (blocks.contains("exclusions.start"))
        told.exclusions = Exclusions{get<std::int64_t>(blocks, "exclusions.start"),
                                     get_tags(blocks, "exclusions.tags", "exclusions.partner")};
    return told;
}

int types_of(const System& system) {
    return system.forces.empty() ? 0 : system.forces[0].spec().n_types;
}

}  // namespace

/// Makes blocks, which their reader's checks are part of.
/// @throws core::BlowUpError for what it would refuse
template <class Make>
void Simulation::make_readable(Make&& make) const {
    try {
        make();
    } catch (const io::BlockError& error) {
        core::BlowUp what;
        what.step = system_.step, what.force = error.block;
        if (const auto* of_one = dynamic_cast<const ParticleError*>(&error))
            what.tag = of_one->particle;
        throw core::BlowUpError(
            "no checkpoint is written at step " + std::to_string(system_.step),
            "the run could not go on from its block '" + error.block + "': " + error.why,
            "Something in the simulation is out of bounds: look at the energies and temperatures "
            "before this step.",
            what);
    }
}

void Simulation::write_checkpoint(const std::filesystem::path& path, const std::string& extra) {
    ready();
    StateBlocks blocks;
    const int rank = divided() ? world_->rank() : -1;
    const auto make_columns = [&] {
        auto& p = system_.particles;
        put_columns(blocks, *queue_, p, rank);
        const auto moves = download(*queue_, p.moves);
        require_columns(blocks, p, system_.n_total(), types_of(system_), rank, &moves);
    };
    const auto make_common = [&] {
        put_common(blocks, extra);
        System read;
        get_system(blocks, get_header(blocks), read);
    };
    if (!divided()) {
        make_readable([&] {
            make_columns();
            make_common();
            engine_->save(blocks);
        });
        io::write_blocks(path, blocks);
        return;
    }
    // Ranks that go on make new lists at this step, as those do that read the file.
    system_.particles.set_ghosts(*queue_, 0);
    dirty_ = true;
    world_->together([&] {
        make_readable([&] {
            if (domain_->has_cell()) make_columns();
            if (rank != 0) return;
            put_division(blocks, domain_->grid());
            make_common();
        });
    });
    io::write_shared_checkpoint(*world_, path, blocks);
}

/// All but the columns and the engine's state.
void Simulation::put_common(StateBlocks& blocks, const std::string& extra) const {
    CheckpointHeader header{};
    header.version = format_version;
    header.precision = static_cast<std::int32_t>(precision_);
    header.n = system_.n_total(), header.step = system_.step, header.seed = system_.seed;
    header.box = system_.box, header.motion = system_.motion, header.list = system_.list;
    header.n_forces = static_cast<std::int64_t>(system_.forces.size());
    put(blocks, "header", std::span(&header, 1));
    put(blocks, "extra", std::span(extra));
    put(blocks, "lists_outrun", std::span(&system_.counts.lists_outrun, 1));
    put(blocks, "algorithm", std::span(device_spec_.algorithm));
    put(blocks, "free_axes", system_.free_axes);
    put(blocks, "group", system_.group);
    for (std::int64_t k = 0; k < header.n_forces; ++k)
        add_force(blocks, k, system_.forces[static_cast<std::size_t>(k)].spec());
    if (system_.nonbonded) put_nonbonded(blocks, system_.nonbonded->spec());
    if (system_.mesh) put_mesh(blocks, *system_.mesh);
    if (!system_.exclusions.empty()) {
        put(blocks, "exclusions.start", std::span(system_.exclusions.start));
        put(blocks, "exclusions.tags", std::span(system_.exclusions.partner));
    }
    if (!system_.bonded.empty()) put_bonded(blocks, system_.bonded);
    put_leaves(blocks, system_);
    put_molecules(blocks, system_);
}

std::unique_ptr<Simulation> Simulation::read_checkpoint(const std::filesystem::path& path,
                                                        const DeviceSpec& device,
                                                        std::string& extra, comm::World* world) {
    StateBlocks blocks;
    std::optional<Division> division;
    const auto read = [&] {
        blocks = io::read_blocks(path);
        require_version(blocks, path);
        division = join_slices(blocks);
    };
    if (world != nullptr)
        world->together(read);
    else
        read();
    const auto header = get_header(blocks);
    widen_tags(blocks, header.n);
    const auto text = get<char>(blocks, "extra");
    extra.assign(text.begin(), text.end());
    auto spec = device;
    if (const auto asked = get<char>(blocks, "algorithm");
        spec.algorithm == "auto" && (spec.name == "auto" || spec.name == "host"))
        spec.algorithm.assign(asked.begin(), asked.end());
    std::unique_ptr<Simulation> sim(new Simulation(spec, static_cast<Precision>(header.precision)));
    auto& s = sim->system_;
    auto& queue = *sim->queue_;
    auto& p = s.particles;
    const auto told = get_system(blocks, header, s);
    add_columns(blocks, p);
    ChangingColumns(s.forces, s.pairs().changing).add_to(p);
    require_columns(blocks, p, header.n, types_of(s), -1);
    get_columns(blocks, queue, p);
    sim->set_masses(download(queue, p.mass));
    p.generation = 1;
    if (told.nonbonded) sim->set_nonbonded(*told.nonbonded);
    if (told.mesh) sim->set_mesh(*told.mesh);
    if (told.exclusions) sim->set_exclusions(*told.exclusions);
    sim->derive_moves();
    const auto thermostat_group = download(queue, p.thermostat_group);
    for (const auto group : thermostat_group)
        require(group < s.coupling.groups.size(), "bath", "a group is unknown");
    require(thermostat_group.empty() == s.coupling.groups.empty(), "bath",
            "the groups and their particles do not match");
    if (world != nullptr && world->size() > 1) {
        sim->world_ = world;
        sim->division_ = division;
        return sim;  // lists are made before the first step
    }
    sim->make_engine();
    if (blocks.contains(uses_flat_lists(spec) ? "lanes" : "list"))
        sim->engine_->restore(blocks);
    else  // another engine's lists: new ones from here on
        sim->engine_->prepare();
    sim->dirty_ = false;
    return sim;
}

}  // namespace aureole::md
