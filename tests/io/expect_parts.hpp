/// Are two parts of snapshots the same in every array?
#pragma once

#include "brisance/io/snapshot.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace brisance::test {

inline void expect_equal(const std::vector<io::StateColumn>& a, const std::vector<io::StateColumn>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].unit, b[i].unit);
    EXPECT_EQ(a[i].width, b[i].width);
    EXPECT_EQ(a[i].values, b[i].values);
  }
}

inline void expect_equal(const io::SnapshotPart& a, const io::SnapshotPart& b) {
  EXPECT_EQ(a.node_id, b.node_id);
  EXPECT_EQ(a.node_owned, b.node_owned);
  EXPECT_EQ(a.rest_position, b.rest_position);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.element_id, b.element_id);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.piece, b.piece);
  EXPECT_EQ(a.stress, b.stress);
  EXPECT_EQ(a.plastic_strain, b.plastic_strain);
  EXPECT_EQ(a.boundary, b.boundary);
  EXPECT_EQ(a.boundary_element, b.boundary_element);
  EXPECT_EQ(a.source_triangle, b.source_triangle);
  expect_equal(a.node_state, b.node_state);
  expect_equal(a.element_state, b.element_state);
}

}  // namespace brisance::test
