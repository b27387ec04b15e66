/// Fields: state of nodes and elements, declared once. The module that uses a field declares its name, its unit, and
/// how its values follow cuts of the mesh. dist::Mesh keeps an array (a column) for each field of its list. It carries
/// the values through cuts, compaction, migration, ghost updates, checkpoints and memory accounts without knowing what
/// they mean.
///
///   inline constexpr dist::NodeFieldDeclaration<double> kContactOffset{.name = "contact_offset", .unit = "m", ...};
///   mesh.field(kContactOffset)[n]
///
/// Values that can be recomputed from the mesh are no field: their user keeps them as a cache. Everything here is local
/// to a rank and does not throw.
#pragma once

#include "brisance/core/aligned.hpp"
#include "brisance/core/field.hpp"
#include "brisance/dist/element_block.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace brisance::dist {

/// Value of a new node that an edge split makes at (1−t) a + t b, from the values of the edge's ends a and b.
enum class AtBirth : std::uint8_t {
  initial,      ///< NodeFieldDeclaration::initial
  mean,         ///< (1−t) a + t b; floating-point numbers and arrays of three doubles
  larger,       ///< maximum over both ends; floating-point numbers
  common_bits,  ///< a & b; unsigned integers
};
/// Value of the copies of a node that a crack splits: the original's, or the initial value.
enum class AtCopy : std::uint8_t { inherit, initial };
/// Value of an owned node after cuts have changed elements of its star (Mesh::finish_cuts): kept, or set to the initial
/// value.
enum class AtTouch : std::uint8_t { keep, initial };
/// Whether ghosts get their owner's value before a round of cuts. Required where AtBirth reads the values of both ends,
/// since one may be a ghost. `stale`: a ghost's value may be out of date.
enum class Ghosts : std::uint8_t { stale, refreshed };

/// A field of one T for each node. T must be trivially copyable; the declaration must outlive every mesh that has it.
template <class T>
struct NodeFieldDeclaration {
  std::string_view name, unit;
  T initial{};
  AtBirth birth = AtBirth::initial;
  AtCopy copy = AtCopy::inherit;
  AtTouch touch = AtTouch::keep;
  Ghosts ghosts = Ghosts::stale;
};

/// A field of one T for each element. When an edge split bisects an element, the parent keeps its value and the child
/// gets a copy. If at_bisection is given, it is then called with both values and may change them; corner ia of the
/// child and corner ib of the parent are the new node. A copy of a whole element gets its value; at_copy, if given, is
/// then called: `share` of the material is in the copy from then on, the rest in the original.
template <class T>
struct ElementFieldDeclaration {
  std::string_view name, unit;
  T initial{};
  void (*at_bisection)(T& parent, T& child, int ia, int ib) = nullptr;
  void (*at_copy)(T& original, T& copy, double share) = nullptr;
};

/// A field of several doubles for each element, laid out for SIMD kernels: block b holds elements kBatch·b … kBatch·b +
/// kBatch − 1 as rows of kBatch doubles, and lane l of each row belongs to element kBatch·b + l. Initially zero;
/// children of a bisection get the parent's values.
template <class Block>
struct ElementLanesDeclaration {
  std::string_view name, unit;
};

/// Converts a value to `width` doubles, its components in order, for snapshots.
template <class T>
struct Components {
  static_assert(std::is_arithmetic_v<T>);
  static constexpr std::size_t width = 1;
  static void write(const T& value, double* out) { *out = static_cast<double>(value); }
};
template <class T, std::size_t N>
struct Components<std::array<T, N>> {
  static constexpr std::size_t width = N;
  static void write(const std::array<T, N>& value, double* out) { std::copy(value.begin(), value.end(), out); }
};

/// The values of one field for all node slots of this rank, with the type erased.
class NodeColumn {
public:
  NodeColumn(const void* declared, std::string_view title, std::string_view unit_of, Ghosts rule, std::size_t bytes,
             std::size_t components)
      : declaration(declared), name(title), unit(unit_of), ghosts(rule), bytes_each(bytes), width(components) {}
  virtual ~NodeColumn() = default;

  virtual void add_slot() = 0;          ///< appends a slot with the initial value
  virtual void reset(LocalNode n) = 0;  ///< sets the initial value
  /// Sets the value of a new node on the edge a b by AtBirth, of a copy by AtCopy, of a changed star by AtTouch.
  virtual void be_born(LocalNode created, LocalNode a, LocalNode b, double t) = 0;
  virtual void be_copied(LocalNode copy, LocalNode original) = 0;
  virtual void be_touched(LocalNode n) = 0;
  virtual void numbers(LocalNode n, double* out) const = 0;  ///< writes `width` numbers
  [[nodiscard]] virtual std::byte* data() = 0;               ///< bytes_each for each slot, contiguous
  [[nodiscard]] virtual const std::byte* data() const = 0;

  const void* const declaration;  ///< address of the NodeFieldDeclaration, which identifies the field
  const std::string_view name, unit;
  const Ghosts ghosts;
  const std::size_t bytes_each, width;
};

template <class T>
class NodeColumnOf final : public NodeColumn {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  explicit NodeColumnOf(const NodeFieldDeclaration<T>& field)
      : NodeColumn(&field, field.name, field.unit, field.ghosts, sizeof(T), Components<T>::width), field_(field) {}

  void add_slot() override { values.push_back(field_.initial); }
  void reset(LocalNode n) override { values[n] = field_.initial; }
  void be_born(LocalNode created, LocalNode a, LocalNode b, double t) override {
    values[created] = born(values[a], values[b], t);
  }
  void be_copied(LocalNode copy, LocalNode original) override {
    values[copy] = field_.copy == AtCopy::inherit ? values[original] : field_.initial;
  }
  void be_touched(LocalNode n) override {
    if (field_.touch == AtTouch::initial) values[n] = field_.initial;
  }
  void numbers(LocalNode n, double* out) const override { Components<T>::write(values[n], out); }
  [[nodiscard]] std::byte* data() override { return reinterpret_cast<std::byte*>(values.span().data()); }
  [[nodiscard]] const std::byte* data() const override {
    return reinterpret_cast<const std::byte*>(values.span().data());
  }

  NodeField<T> values;

private:
  [[nodiscard]] T born(const T& a, const T& b, double t) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (field_.birth == AtBirth::mean) return static_cast<T>((1 - t) * a + t * b);
      if (field_.birth == AtBirth::larger) return a < b ? b : a;
    } else if constexpr (std::is_same_v<T, std::array<double, 3>>) {
      if (field_.birth == AtBirth::mean)
        return {(1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1], (1 - t) * a[2] + t * b[2]};
    } else if constexpr (std::is_unsigned_v<T>) {
      if (field_.birth == AtBirth::common_bits) return a & b;
    }
    assert(field_.birth == AtBirth::initial);
    return field_.initial;
  }

  const NodeFieldDeclaration<T>& field_;
};

/// The values of one field for all element slots of this rank, with the type erased.
class ElementColumn {
public:
  ElementColumn(const void* declared, std::string_view title, std::string_view unit_of, std::size_t bytes,
                std::size_t components)
      : declaration(declared), name(title), unit(unit_of), bytes_each(bytes), width(components) {}
  virtual ~ElementColumn() = default;

  virtual void add_slot(LocalElement e) = 0;  ///< slots are added in ascending order
  /// Copies bytes_each bytes to or from a message.
  virtual void pack(LocalElement e, std::byte* out) const = 0;
  virtual void unpack(LocalElement e, const std::byte* in) = 0;
  /// Sets the values of both elements of a bisection, as ElementFieldDeclaration says.
  virtual void bisect(LocalElement parent, LocalElement child, int ia, int ib) = 0;
  /// The same for an element and its copy.
  virtual void copy(LocalElement original, LocalElement copy, double share) = 0;
  virtual void move(LocalElement from, LocalElement to) = 0;    ///< copies a value to another slot
  virtual void truncate(std::size_t num_elements) = 0;          ///< drops the slots from num_elements on
  virtual void numbers(LocalElement e, double* out) const = 0;  ///< writes `width` numbers
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;

  const void* const declaration;  ///< address of the declaration, which identifies the field
  const std::string_view name, unit;
  const std::size_t bytes_each, width;
};

template <class T>
class ElementColumnOf final : public ElementColumn {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  explicit ElementColumnOf(const ElementFieldDeclaration<T>& field)
      : ElementColumn(&field, field.name, field.unit, sizeof(T), Components<T>::width), field_(field) {}

  void add_slot(LocalElement) override { values.push_back(field_.initial); }
  void pack(LocalElement e, std::byte* out) const override { std::memcpy(out, &values[e], sizeof(T)); }
  void unpack(LocalElement e, const std::byte* in) override { std::memcpy(&values[e], in, sizeof(T)); }
  void bisect(LocalElement parent, LocalElement child, int ia, int ib) override {
    values[child] = values[parent];
    if (field_.at_bisection != nullptr) field_.at_bisection(values[parent], values[child], ia, ib);
  }
  void copy(LocalElement original, LocalElement copy, double share) override {
    values[copy] = values[original];
    if (field_.at_copy != nullptr) field_.at_copy(values[original], values[copy], share);
  }
  void move(LocalElement from, LocalElement to) override { values[to] = values[from]; }
  void truncate(std::size_t num_elements) override { values.resize(num_elements); }
  void numbers(LocalElement e, double* out) const override { Components<T>::write(values[e], out); }
  [[nodiscard]] std::size_t memory_bytes() const override { return values.size() * sizeof(T); }

  ElementField<T> values;

private:
  const ElementFieldDeclaration<T>& field_;
};

template <class Block>
class ElementLanesOf final : public ElementColumn {
  static_assert(sizeof(Block) % (kBatch * sizeof(double)) == 0);
  static constexpr std::size_t kRows = sizeof(Block) / (kBatch * sizeof(double));

public:
  explicit ElementLanesOf(const ElementLanesDeclaration<Block>& field)
      : ElementColumn(&field, field.name, field.unit, kRows * sizeof(double), kRows) {}

  void add_slot(LocalElement e) override {
    if (e.value % kBatch == 0) blocks.emplace_back();
    for (std::size_t row = 0; row < kRows; ++row) *at(e, row) = 0;
  }
  void pack(LocalElement e, std::byte* out) const override {
    for (std::size_t row = 0; row < kRows; ++row) std::memcpy(out + row * sizeof(double), at(e, row), sizeof(double));
  }
  void unpack(LocalElement e, const std::byte* in) override {
    for (std::size_t row = 0; row < kRows; ++row) std::memcpy(at(e, row), in + row * sizeof(double), sizeof(double));
  }
  void bisect(LocalElement parent, LocalElement child, int, int) override { move(parent, child); }
  void copy(LocalElement original, LocalElement copy, double) override { move(original, copy); }
  void move(LocalElement from, LocalElement to) override {
    for (std::size_t row = 0; row < kRows; ++row) *at(to, row) = *at(from, row);
  }
  void truncate(std::size_t num_elements) override { blocks.resize((num_elements + kBatch - 1) / kBatch); }
  void numbers(LocalElement e, double* out) const override {
    for (std::size_t row = 0; row < kRows; ++row) out[row] = *at(e, row);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return blocks.capacity() * sizeof(Block); }

  core::AlignedVector<Block> blocks;

private:
  [[nodiscard]] double* at(LocalElement e, std::size_t row) {
    return reinterpret_cast<double*>(&blocks[e.value / kBatch]) + row * kBatch + e.value % kBatch;
  }
  [[nodiscard]] const double* at(LocalElement e, std::size_t row) const {
    return reinterpret_cast<const double*>(&blocks[e.value / kBatch]) + row * kBatch + e.value % kBatch;
  }
};

/// The fields that a mesh is to have: the lists of all modules, joined. The order of adding is the order of the values
/// in rows and records.
class FieldList {
public:
  template <class T>
  FieldList& add(const NodeFieldDeclaration<T>& field) {
    node_fields_.push_back([&field] { return std::make_unique<NodeColumnOf<T>>(field); });
    return *this;
  }
  template <class T>
  FieldList& add(const ElementFieldDeclaration<T>& field) {
    element_fields_.push_back([&field] { return std::make_unique<ElementColumnOf<T>>(field); });
    return *this;
  }
  template <class Block>
  FieldList& add(const ElementLanesDeclaration<Block>& field) {
    element_fields_.push_back([&field] { return std::make_unique<ElementLanesOf<Block>>(field); });
    return *this;
  }
  FieldList& add(const FieldList& others) {
    node_fields_.insert(node_fields_.end(), others.node_fields_.begin(), others.node_fields_.end());
    element_fields_.insert(element_fields_.end(), others.element_fields_.begin(), others.element_fields_.end());
    return *this;
  }

private:
  friend class NodeFields;
  friend class ElementFields;
  std::vector<std::function<std::unique_ptr<NodeColumn>()>> node_fields_;
  std::vector<std::function<std::unique_ptr<ElementColumn>()>> element_fields_;
};

/// The columns of all node fields of a list. A row is the values of one node in all of them, in their order, packed
/// into row_bytes() bytes for a message or a file.
class NodeFields {
public:
  NodeFields() = default;
  explicit NodeFields(const FieldList& list) {
    for (const auto& make : list.node_fields_) row_bytes_ += columns_.emplace_back(make())->bytes_each;
  }

  /// The values of a field by node slot. Aborts if the list does not have the field.
  template <class T>
  [[nodiscard]] NodeField<T>& of(const NodeFieldDeclaration<T>& field) const {
    if (NodeField<T>* found = find(field)) return *found;
    return missing<NodeField<T>>();
  }
  /// The same; null if the list does not have the field.
  template <class T>
  [[nodiscard]] NodeField<T>* find(const NodeFieldDeclaration<T>& field) const {
    for (const auto& column : columns_)
      if (column->declaration == &field) return &static_cast<NodeColumnOf<T>&>(*column).values;
    return nullptr;
  }
  [[nodiscard]] std::span<const std::unique_ptr<NodeColumn>> columns() const { return columns_; }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  void pack(LocalNode n, std::byte* row) const;
  void unpack(LocalNode n, const std::byte* row);

private:
  template <class Field>
  [[noreturn]] static Field& missing() {
    assert(!"field is not in the mesh's list");
    std::abort();
  }
  std::vector<std::unique_ptr<NodeColumn>> columns_;
  std::size_t row_bytes_ = 0;
};

/// The columns of all element fields of a list; rows as in NodeFields.
class ElementFields {
public:
  ElementFields() = default;
  explicit ElementFields(const FieldList& list) {
    for (const auto& make : list.element_fields_) row_bytes_ += columns_.emplace_back(make())->bytes_each;
  }

  /// The values of a field by element slot. Aborts if the list does not have the field.
  template <class T>
  [[nodiscard]] ElementField<T>& of(const ElementFieldDeclaration<T>& field) const {
    if (ElementField<T>* found = find(field)) return *found;
    assert(!"field is not in the mesh's list");
    std::abort();
  }
  /// The same; null if the list does not have the field.
  template <class T>
  [[nodiscard]] ElementField<T>* find(const ElementFieldDeclaration<T>& field) const {
    for (const auto& column : columns_)
      if (column->declaration == &field) return &static_cast<ElementColumnOf<T>&>(*column).values;
    return nullptr;
  }
  /// The blocks of a field; empty if the list does not have the field, as nothing in the run needs it.
  template <class Block>
  [[nodiscard]] std::span<Block> of(const ElementLanesDeclaration<Block>& field) const {
    for (const auto& column : columns_)
      if (column->declaration == &field) return static_cast<ElementLanesOf<Block>&>(*column).blocks;
    return {};
  }
  [[nodiscard]] std::span<const std::unique_ptr<ElementColumn>> columns() const { return columns_; }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  /// Offset of a field in a row [byte]. Aborts if the list does not have the field.
  template <class T>
  [[nodiscard]] std::size_t offset_in_row(const ElementFieldDeclaration<T>& field) const {
    std::size_t offset = 0;
    for (const auto& column : columns_) {
      if (column->declaration == &field) return offset;
      offset += column->bytes_each;
    }
    assert(!"field is not in the mesh's list");
    std::abort();
  }
  void pack(LocalElement e, std::byte* row) const;
  void unpack(LocalElement e, const std::byte* row);

private:
  std::vector<std::unique_ptr<ElementColumn>> columns_;
  std::size_t row_bytes_ = 0;
};

}  // namespace brisance::dist
