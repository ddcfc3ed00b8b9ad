// SPDX-License-Identifier: Apache-2.0
#include "blocks.hpp"

namespace twins {
namespace {

constexpr std::ptrdiff_t unit = 16;  // where every type may begin

std::ptrdiff_t aligned(std::ptrdiff_t place) {
    return place < 0 ? -(-place / unit * unit) : (place + unit - 1) / unit * unit;
}

}  // namespace

Blocks Blocks::equal(Collective& c, const Side& item, long items, int peers) {
    Blocks blocks{item, &c.numbers(), &c.numbers(), 0, {}};
    for (int i = 0; i < peers; ++i) {
        blocks.counts->add(item.count * items);
        blocks.places->add(item.count * items * i);
    }
    blocks.total = item.count * items * peers;
    blocks.layout = {{item.type, 0, blocks.total}};
    return blocks;
}

Blocks Blocks::scattered(Collective& c, Rng& rng, const TypeRef& type,
                         const std::vector<long>& items) {
    const int peers = static_cast<int>(items.size());
    long most = 3 * peers;
    for (auto n : items) most += n;
    Blocks blocks{own_layout(c, rng, type, most), &c.numbers(), &c.numbers(), 0, {}};
    const auto& item = blocks.item;
    std::vector<long> places(peers);
    for (int i : rng.permutation(peers)) {
        places[i] = blocks.total;
        blocks.total += item.count * (items[i] + rng.below(3));
    }
    for (int i = 0; i < peers; ++i) {
        blocks.counts->add(item.count * items[i]);
        blocks.places->add(places[i]);
        blocks.layout.push_back({item.type, places[i] * item.type->extent, item.count * items[i]});
    }
    return blocks;
}

TypedBlocks TypedBlocks::scattered(Collective& c, Rng& rng, const std::vector<Side>& sides) {
    const int peers = static_cast<int>(sides.size());
    TypedBlocks blocks{&c.numbers(), &c.numbers(), &c.handles(), {}};
    std::vector<std::ptrdiff_t> places(peers);
    std::ptrdiff_t cursor = 0;
    for (int i : rng.permutation(peers)) {
        const auto span = span_of(*sides[i].type, sides[i].count);
        places[i] = aligned(cursor - span.low);
        cursor = places[i] + span.high + rng.below(20);
    }
    for (int i = 0; i < peers; ++i) {
        blocks.counts->add(sides[i].count);
        blocks.places->add(places[i]);
        blocks.types->push_back(sides[i].type->handle);
        blocks.layout.push_back({sides[i].type, places[i], sides[i].count});
    }
    return blocks;
}

long agreed(std::uint64_t seed, long a, long b, long below) {
    Rng rng(seed, static_cast<std::uint64_t>(a * 1000 + b));
    return rng.percent(15) ? 0 : rng.below(below);
}

Side agreed_side(const Collective& c, std::uint64_t seed, long a, long b, bool sender) {
    Rng rng(seed, static_cast<std::uint64_t>(a * 1000 + b));
    const auto item = random_item(rng);
    const long items = agreed(seed + 1, a, b, 40);
    Rng own(seed, static_cast<std::uint64_t>(a * 1000 + b + (sender ? 500000 : 700000)));
    const auto side = own_layout(c, own, item, items);
    return {side.type, side.count * (fits(*item, items) ? items : 1)};
}

}  // namespace twins
