/// Fields: state of nodes and elements, declared once. The module that gives a field its meaning declares its name, its
/// unit, and how its values follow cuts of the mesh. The mesh keeps a column for each field of its list and carries it
/// through cuts, compaction, migration, ghost updates and memory accounts without knowing what it means.
///
///   inline constexpr dist::NodeFieldDeclaration<double> kContactOffset{.name = "forgiven_depth", .unit = "m", ...};
///   mesh.field(kContactOffset)[n]
///
/// What can be recomputed from the mesh is no field: it is a cache, and lives with its user.
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

/// Value of a node that a cut makes on the edge a b at (1−t) a + t b.
enum class AtBirth : std::uint8_t {
  initial,
  mean,         ///< (1−t) a + t b
  larger,       ///< maximum over both ends
  common_bits,  ///< a & b
};
/// Value of the copies that a split gives the parts of a node's star.
enum class AtCopy : std::uint8_t { inherit, initial };
/// Value of an owned node once a cut has changed its star.
enum class AtTouch : std::uint8_t { keep, initial };
/// Whether ghosts are given their owner's value before a round of cuts: required where AtBirth uses both ends.
enum class Ghosts : std::uint8_t { stale, refreshed };

/// T is trivially copyable.
template <class T>
struct NodeFieldDeclaration {
  std::string_view name, unit;
  T initial{};
  AtBirth birth = AtBirth::initial;
  AtCopy copy = AtCopy::inherit;
  AtTouch touch = AtTouch::keep;
  Ghosts ghosts = Ghosts::stale;
};

/// Children of a bisected element inherit the parent's value, unless a rule says otherwise: at_bisection(parent, child,
/// ia, ib) is called with the values of both as inherited; corner ia of the child and corner ib of the parent are the
/// new node. Copies of a whole element inherit its value, unless at_copy(original, copy, share) says otherwise: `share`
/// of the material is in the copy from then on, the rest in the original.
template <class T>
struct ElementFieldDeclaration {
  std::string_view name, unit;
  T initial{};
  void (*at_bisection)(T& parent, T& child, int ia, int ib) = nullptr;
  void (*at_copy)(T& original, T& copy, double share) = nullptr;
};

/// A field that vector kernels stream through: Block consists of rows of kBatch doubles; lane l of each row belongs to
/// element kBatch·block + l. Initially zero; children inherit the parent's values.
template <class Block>
struct ElementLanesDeclaration {
  std::string_view name, unit;
};

/// Output form of a value: its components as numbers, in their order.
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

/// One field of all nodes of this rank.
class NodeColumn {
public:
  NodeColumn(const void* declared, std::string_view title, std::string_view unit_of, Ghosts rule, std::size_t bytes,
             std::size_t components)
      : declaration(declared), name(title), unit(unit_of), ghosts(rule), bytes_each(bytes), width(components) {}
  virtual ~NodeColumn() = default;

  virtual void add_slot() = 0;
  virtual void reset(LocalNode n) = 0;
  virtual void be_born(LocalNode created, LocalNode a, LocalNode b, double t) = 0;
  virtual void be_copied(LocalNode copy, LocalNode original) = 0;
  virtual void be_touched(LocalNode n) = 0;
  virtual void numbers(LocalNode n, double* out) const = 0;  ///< writes `width` numbers
  [[nodiscard]] virtual std::byte* data() = 0;
  [[nodiscard]] virtual const std::byte* data() const = 0;

  const void* const declaration;
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

/// One field of all elements of this rank.
class ElementColumn {
public:
  ElementColumn(const void* declared, std::string_view title, std::string_view unit_of, std::size_t bytes,
                std::size_t components)
      : declaration(declared), name(title), unit(unit_of), bytes_each(bytes), width(components) {}
  virtual ~ElementColumn() = default;

  virtual void add_slot(LocalElement e) = 0;  ///< slots are added in ascending order
  virtual void pack(LocalElement e, std::byte* out) const = 0;
  virtual void unpack(LocalElement e, const std::byte* in) = 0;
  virtual void bisect(LocalElement parent, LocalElement child, int ia, int ib) = 0;
  virtual void copy(LocalElement original, LocalElement copy, double share) = 0;
  virtual void move(LocalElement from, LocalElement to) = 0;
  virtual void truncate(std::size_t num_elements) = 0;
  virtual void numbers(LocalElement e, double* out) const = 0;  ///< writes `width` numbers
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;

  const void* const declaration;
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

/// The fields of a run's mesh, in the order in which records hold them: the modules' lists, joined.
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

/// The columns of all node fields of a list. A row holds the values of one node in all of them, packed for a message.
class NodeFields {
public:
  NodeFields() = default;
  explicit NodeFields(const FieldList& list) {
    for (const auto& make : list.node_fields_) row_bytes_ += columns_.emplace_back(make())->bytes_each;
  }

  /// The column of a declared field; the declaration must be in the list.
  template <class T>
  [[nodiscard]] NodeField<T>& of(const NodeFieldDeclaration<T>& field) const {
    if (NodeField<T>* found = find(field)) return *found;
    return missing<NodeField<T>>();
  }
  /// The column of a field that only some lists have; null where this one does not.
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

/// The columns of all element fields of a list.
class ElementFields {
public:
  ElementFields() = default;
  explicit ElementFields(const FieldList& list) {
    for (const auto& make : list.element_fields_) row_bytes_ += columns_.emplace_back(make())->bytes_each;
  }

  template <class T>
  [[nodiscard]] ElementField<T>& of(const ElementFieldDeclaration<T>& field) const {
    if (ElementField<T>* found = find(field)) return *found;
    assert(!"field is not in the mesh's list");
    std::abort();
  }
  /// The column of a field that only some lists have; null where this one does not.
  template <class T>
  [[nodiscard]] ElementField<T>* find(const ElementFieldDeclaration<T>& field) const {
    for (const auto& column : columns_)
      if (column->declaration == &field) return &static_cast<ElementColumnOf<T>&>(*column).values;
    return nullptr;
  }
  /// The blocks of a field; empty where the list does not have the field: nothing in this run needs it.
  template <class Block>
  [[nodiscard]] std::span<Block> of(const ElementLanesDeclaration<Block>& field) const {
    for (const auto& column : columns_)
      if (column->declaration == &field) return static_cast<ElementLanesOf<Block>&>(*column).blocks;
    return {};
  }
  [[nodiscard]] std::span<const std::unique_ptr<ElementColumn>> columns() const { return columns_; }
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  /// Offset of a field of the list in a row [bytes].
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
