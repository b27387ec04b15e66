#include "fuzz/mutate_hdf5.hpp"

#include "io/hdf5_handles.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace brisance::fuzz {
namespace {

using io::Hdf5Attribute;
using io::Hdf5Dataset;
using io::Hdf5File;
using io::Hdf5Properties;
using io::Hdf5Space;
using io::Hdf5Type;

struct Thing {
  std::string path;       ///< of a group or dataset
  std::string attribute;  ///< of it; empty: itself
  bool is_dataset = false;
};

herr_t note_attribute(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* things) {
  auto& list = *static_cast<std::vector<Thing>*>(things);
  list.push_back({list.back().path, name, false});
  return 0;
}

herr_t note_object(hid_t file, const char* name, const H5O_info_t* info, void* things) {
  if (name[0] == '.' && name[1] == 0) return 0;
  auto& list = *static_cast<std::vector<Thing>*>(things);
  list.push_back({name, "", info->type == H5O_TYPE_DATASET});
  const io::Hdf5Handle<H5Oclose> object(H5Oopen(file, name, H5P_DEFAULT));
  hsize_t start = 0;
  H5Aiterate2(object.raw(), H5_INDEX_NAME, H5_ITER_INC, &start, note_attribute, things);
  return 0;
}

std::vector<Thing> things_in(const Hdf5File& file) {
  std::vector<Thing> things;
  H5Ovisit2(file.raw(), H5_INDEX_NAME, H5_ITER_INC, note_object, &things, H5O_INFO_BASIC);
  return things;
}

hid_t any_type(Random& random) {
  const std::array<hid_t, 8> types{H5T_STD_I8LE,   H5T_STD_I32LE,  H5T_STD_I64LE,  H5T_STD_U64BE,
                                   H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_C_S1};
  return random.of(types);
}

hsize_t any_size(Random& random, hsize_t size) {
  switch (random.below(8)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return size + 1;
    case 3:
      return size > 0 ? size - 1 : 0;
    case 4:
      return 2 * size;
    case 5:
      return size + random.below(100);
    case 6:
      return hsize_t{1} << (20 + random.below(30));
    default:
      return size;
  }
}

/// Space of a dataset changed in rank or size.
Hdf5Space any_space(Random& random, const Hdf5Space& old, std::array<hsize_t, 3>& dims) {
  dims = {1, 1, 1};
  int rank = H5Sget_simple_extent_ndims(old.raw());
  if (rank >= 1 && rank <= 3) H5Sget_simple_extent_dims(old.raw(), dims.data(), nullptr);
  if (random.one_in(3)) rank = static_cast<int>(random.below(4));
  if (rank < 1) return Hdf5Space(H5Screate(random.one_in(2) ? H5S_SCALAR : H5S_NULL));
  rank = std::min(rank, 3);
  const std::size_t axis = random.below(static_cast<std::size_t>(rank));
  dims[axis] = any_size(random, dims[axis]);
  return Hdf5Space(H5Screate_simple(rank, dims.data(), nullptr));
}

/// Another dataset of the same name; its previous data is kept where it fits.
void remake_dataset(Random& random, const Hdf5File& file, const std::string& path) {
  Hdf5Space space;
  std::array<hsize_t, 3> dims{1, 1, 1};
  Hdf5Type type;
  {
    const Hdf5Dataset old(H5Dopen2(file.raw(), path.c_str(), H5P_DEFAULT));
    const Hdf5Space old_space(H5Dget_space(old.raw()));
    type = Hdf5Type(random.one_in(3) ? H5Tcopy(any_type(random)) : H5Dget_type(old.raw()));
    space = any_space(random, old_space, dims);
  }
  H5Ldelete(file.raw(), path.c_str(), H5P_DEFAULT);
  const int rank = H5Sget_simple_extent_ndims(space.raw());
  const hssize_t count = H5Sget_simple_extent_npoints(space.raw());
  const bool is_large = count > 100'000;
  const Hdf5Properties creation(H5Pcreate(H5P_DATASET_CREATE));
  if (rank > 0 && is_large) {
    for (auto& d : dims) d = std::clamp<hsize_t>(d, 1, 64);
    H5Pset_chunk(creation.raw(), rank, dims.data());
  }
  const Hdf5Dataset made(
      H5Dcreate2(file.raw(), path.c_str(), type.raw(), space.raw(), H5P_DEFAULT, creation.raw(), H5P_DEFAULT));
  if (!made.valid() || is_large || count <= 0) return;
  std::vector<char> values(static_cast<std::size_t>(count) * H5Tget_size(type.raw()), 0);
  for (char& value : values) value = static_cast<char>(random.one_in(3) ? random.below(256) : random.below(2));
  H5Dwrite(made.raw(), type.raw(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

double any_real(Random& random, double old) {
  using Limits = std::numeric_limits<double>;
  const std::array<double, 12> values{
      0, -1, 1, 1e15, -1e16, 1e30, 1e300, Limits::quiet_NaN(), -old, 2 * old, old + 1e-9, Limits::infinity()};
  return random.of(values);
}

std::int64_t any_integer(Random& random, std::int64_t old) {
  const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(old) + random.below(3) - 1);
  const std::array<std::int64_t, 11> values{
      0, -1, 1, 2, sum, sum, 1000, 2147483647, 2147483648LL, 10'000'000'000, std::numeric_limits<std::int64_t>::max()};
  return random.of(values);
}

/// Some values of a dataset of numbers.
void change_values(Random& random, const Hdf5File& file, const std::string& path) {
  const Hdf5Dataset data(H5Dopen2(file.raw(), path.c_str(), H5P_DEFAULT));
  const Hdf5Type type(H5Dget_type(data.raw()));
  const Hdf5Space space(H5Dget_space(data.raw()));
  const hssize_t count = H5Sget_simple_extent_npoints(space.raw());
  const H5T_class_t kind = H5Tget_class(type.raw());
  if (count <= 0 || count > 100'000) return;
  const auto change = [&](auto zero, hid_t memory, const auto& any) {
    std::vector<decltype(zero)> values(static_cast<std::size_t>(count), zero);
    if (H5Dread(data.raw(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return;
    for (std::size_t i = 0, n = 1 + random.below(3); i < n; ++i) {
      auto& value = values[random.below(values.size())];
      value = random.one_in(4) ? values[random.below(values.size())] : any(random, value);
    }
    H5Dwrite(data.raw(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  };
  if (kind == H5T_FLOAT) change(0.0, H5T_NATIVE_DOUBLE, any_real);
  if (kind == H5T_INTEGER) change(std::int64_t{0}, H5T_NATIVE_INT64, any_integer);
}

void change_attribute(Random& random, const Hdf5File& file, const Thing& thing) {
  const io::Hdf5Handle<H5Oclose> object(H5Oopen(file.raw(), thing.path.c_str(), H5P_DEFAULT));
  if (random.one_in(2)) {
    const Hdf5Attribute attribute(H5Aopen(object.raw(), thing.attribute.c_str(), H5P_DEFAULT));
    const Hdf5Type type(H5Aget_type(attribute.raw()));
    const hssize_t count = H5Sget_simple_extent_npoints(Hdf5Space(H5Aget_space(attribute.raw())).raw());
    if (count != 1) return;
    if (H5Tget_class(type.raw()) == H5T_FLOAT) {
      const double value = any_real(random, 1);
      H5Awrite(attribute.raw(), H5T_NATIVE_DOUBLE, &value);
    } else if (H5Tget_class(type.raw()) == H5T_INTEGER) {
      const std::int64_t value = any_integer(random, 1);
      H5Awrite(attribute.raw(), H5T_NATIVE_INT64, &value);
    }
    return;
  }
  H5Adelete(object.raw(), thing.attribute.c_str());
  if (random.one_in(3)) return;
  const Hdf5Type type(H5Tcopy(any_type(random)));
  if (H5Tget_class(type.raw()) == H5T_STRING) H5Tset_size(type.raw(), 1 + random.below(5000));
  const hsize_t many = 1 + random.below(3000);
  const Hdf5Space space(random.one_in(2) ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &many, nullptr));
  const Hdf5Attribute made(
      H5Acreate2(object.raw(), thing.attribute.c_str(), type.raw(), space.raw(), H5P_DEFAULT, H5P_DEFAULT));
  const auto size = static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.raw()), 1)) *
                    H5Tget_size(type.raw());
  const std::vector<char> values(size, static_cast<char>(random.below(128)));
  if (made.valid()) H5Awrite(made.raw(), type.raw(), values.data());
}

void change_links(Random& random, const Hdf5File& file, const Thing& thing, const Thing& other) {
  switch (random.below(4)) {
    case 0:
      H5Ldelete(file.raw(), thing.path.c_str(), H5P_DEFAULT);
      break;
    case 1:  // one name, the contents of another
      if (thing.path == other.path) return;
      H5Ldelete(file.raw(), thing.path.c_str(), H5P_DEFAULT);
      H5Lcreate_hard(file.raw(), other.path.c_str(), file.raw(), thing.path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    case 2:  // a link to nowhere, or to itself
      H5Ldelete(file.raw(), thing.path.c_str(), H5P_DEFAULT);
      H5Lcreate_soft(random.one_in(2) ? "/nowhere" : ("/" + thing.path).c_str(), file.raw(), thing.path.c_str(),
                     H5P_DEFAULT, H5P_DEFAULT);
      break;
    default:
      H5Ldelete(file.raw(), thing.path.c_str(), H5P_DEFAULT);
      const io::Hdf5Group made(H5Gcreate2(file.raw(), thing.path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
}

void change_one(Random& random, const Hdf5File& file) {
  const std::vector<Thing> things = things_in(file);
  if (things.empty()) return;
  const Thing& thing = random.of(things);
  if (!thing.attribute.empty())
    change_attribute(random, file, thing);
  else if (random.one_in(8) || !thing.is_dataset)
    change_links(random, file, thing, random.of(things));
  else if (random.one_in(3))
    remake_dataset(random, file, thing.path);
  else
    change_values(random, file, thing.path);
}

}  // namespace

void mutate_hdf5(Random& random, const std::filesystem::path& path) {
  const io::QuietHdf5 quiet;
  const Hdf5File file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  for (std::size_t i = 0, n = 1 + random.below(3); i < n; ++i) change_one(random, file);
}

}  // namespace brisance::fuzz
