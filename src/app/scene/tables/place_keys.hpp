/// Keys of simple regions of space, shared by the tables that have them.
#pragma once

#include "app/scene/binding.hpp"

#include <string>
#include <vector>

namespace brisance::app {

/// low_m, high_m, centre_m, radius_m and normal of the struct returned by `at`: box, sphere and half space.
template <class Owner, class At>
std::vector<Key> place_keys(At at,
                            const std::string& centre_sentence = "sphere: centre; half_space: a point of its plane.",
                            const std::string& radius_sentence = "sphere: radius.",
                            const std::string& normal_sentence =
                                "half_space: outward normal; points with (x − centre_m)·normal ≤ 0 are inside.") {
  return {
      bind(at, &Owner::low,
           {.name = "low_m",
            .unit = "m",
            .sentence = "box: corner with the smallest coordinates.",
            .example = "[-1, -1, 0]"}),
      bind(at, &Owner::high,
           {.name = "high_m",
            .unit = "m",
            .sentence = "box: corner with the largest coordinates.",
            .example = "[1, 1, 0.01]"}),
      bind(at, &Owner::centre,
           {.name = "centre_m", .unit = "m", .sentence = centre_sentence, .example = "[0, 0, 0.1]"}),
      bind(at, &Owner::radius_m,
           {.name = "radius_m", .unit = "m", .sentence = radius_sentence, .example = "0.1", .range = kNotNegative}),
      bind(at, &Owner::normal, {.name = "normal", .unit = "–", .sentence = normal_sentence, .example = "[0, 0, 1]"}),
  };
}

/// Appends the rows of some keys to a table's.
inline void append(std::vector<Key>& keys, std::vector<Key> more) {
  for (Key& key : more) keys.push_back(std::move(key));
}

}  // namespace brisance::app
