/// Field values of a mesh before its first step.
#pragma once

#include "brisance/dist/fields.hpp"
#include "brisance/dist/mesh_fields.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace brisance::dist {

/// Rows of fields for records; values that are not set are the declared ones.
class InitialRows {
public:
  explicit InitialRows(const FieldList& list) : nodes_(list), elements_(list) {
    for (const auto& column : nodes_.columns()) column->add_slot();
    for (const auto& column : elements_.columns()) column->add_slot(LocalElement(0));
  }
  [[nodiscard]] std::vector<std::byte> of_node(std::uint32_t regions) {
    nodes_.of(kRegions)[LocalNode(0)] = regions;
    std::vector<std::byte> row(nodes_.row_bytes());
    nodes_.pack(LocalNode(0), row.data());
    return row;
  }
  [[nodiscard]] std::vector<std::byte> of_element(const std::array<std::int32_t, 4>& face_source, std::int32_t group,
                                                  double strength) {
    if (auto* factor = elements_.find(kStrengthFactor)) (*factor)[LocalElement(0)] = strength;
    elements_.of(kFaceSource)[LocalElement(0)] = face_source;
    elements_.of(kTetGroup)[LocalElement(0)] = group;
    std::vector<std::byte> row(elements_.row_bytes());
    elements_.pack(LocalElement(0), row.data());
    return row;
  }

private:
  NodeFields nodes_;
  ElementFields elements_;
};

}  // namespace brisance::dist
