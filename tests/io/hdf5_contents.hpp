/// Contents of an HDF5 file, to compare files: two that differ only in the layout of their bytes are equal.
#pragma once

#include "io/hdf5_handles.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace brisance::test {

/// Path of each group, dataset and attribute (after an @), and its type, shape and values as they are in the file.
using Hdf5Contents = std::map<std::string, std::string>;

/// Type and shape, and a place for the values.
inline std::string hdf5_form(const io::Hdf5Type& type, const io::Hdf5Space& space, std::string& values) {
  std::array<hsize_t, 2> dims{1, 1};
  const int rank = H5Sget_simple_extent_dims(space.raw(), dims.data(), nullptr);
  values.resize(dims[0] * dims[1] * H5Tget_size(type.raw()));
  std::size_t length = 0;
  H5Tencode(type.raw(), nullptr, &length);
  std::string code(length, ' ');
  H5Tencode(type.raw(), code.data(), &length);
  return code + std::to_string(rank) + ":" + std::to_string(dims[0]) + "x" + std::to_string(dims[1]) + " ";
}

inline herr_t add_hdf5_attribute(hid_t object, const char* name, const H5A_info_t* /*info*/, void* contents) {
  const io::Hdf5Attribute attribute(H5Aopen(object, name, H5P_DEFAULT));
  const io::Hdf5Type type(H5Aget_type(attribute.raw()));
  std::string values;
  const std::string form = hdf5_form(type, io::Hdf5Space(H5Aget_space(attribute.raw())), values);
  EXPECT_GE(H5Aread(attribute.raw(), type.raw(), values.data()), 0);
  std::array<char, 256> path{};
  H5Iget_name(object, path.data(), path.size());
  (*static_cast<Hdf5Contents*>(contents))[std::string(path.data()) + "@" + name] = form + values;
  return 0;
}

inline herr_t add_hdf5_object(hid_t file, const char* name, const H5O_info_t* info, void* contents) {
  std::string& here = (*static_cast<Hdf5Contents*>(contents))[std::string("/") + name];
  const io::Hdf5Handle<H5Oclose> object(H5Oopen(file, name, H5P_DEFAULT));
  if (info->type == H5O_TYPE_DATASET) {
    const io::Hdf5Type type(H5Dget_type(object.raw()));
    std::string values;
    here = hdf5_form(type, io::Hdf5Space(H5Dget_space(object.raw())), values);
    if (!values.empty()) {
      EXPECT_GE(H5Dread(object.raw(), type.raw(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    }
    here += values;
  }
  hsize_t start = 0;
  return H5Aiterate2(object.raw(), H5_INDEX_NAME, H5_ITER_INC, &start, add_hdf5_attribute, contents);
}

/// Local. The test fails if the file cannot be read.
inline Hdf5Contents hdf5_contents(const std::filesystem::path& path) {
  Hdf5Contents contents;
  const io::Hdf5File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  EXPECT_TRUE(file.valid()) << path;
  EXPECT_GE(H5Ovisit1(file.raw(), H5_INDEX_NAME, H5_ITER_INC, add_hdf5_object, &contents), 0);
  return contents;
}

/// Expects them to be equal; names what differs, not its values.
inline void expect_same_contents(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Hdf5Contents of_a = hdf5_contents(a), of_b = hdf5_contents(b);
  EXPECT_FALSE(of_a.empty());
  std::vector<std::string> different;
  for (const auto& [name, value] : of_a)
    if (const auto found = of_b.find(name); found == of_b.end() || found->second != value) different.push_back(name);
  for (const auto& [name, value] : of_b)
    if (!of_a.contains(name)) different.push_back(name);
  EXPECT_EQ(different, std::vector<std::string>{}) << a << " and " << b;
}

}  // namespace brisance::test
