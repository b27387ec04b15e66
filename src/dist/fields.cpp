#include "brisance/dist/fields.hpp"

namespace brisance::dist {

void NodeFields::pack(LocalNode n, std::byte* row) const {
  for (const auto& column : columns_) {
    std::memcpy(row, column->data() + static_cast<std::size_t>(n.value) * column->bytes_each, column->bytes_each);
    row += column->bytes_each;
  }
}

void NodeFields::unpack(LocalNode n, const std::byte* row) {
  for (const auto& column : columns_) {
    std::memcpy(column->data() + static_cast<std::size_t>(n.value) * column->bytes_each, row, column->bytes_each);
    row += column->bytes_each;
  }
}

void ElementFields::pack(LocalElement e, std::byte* row) const {
  for (const auto& column : columns_) {
    column->pack(e, row);
    row += column->bytes_each;
  }
}

void ElementFields::unpack(LocalElement e, const std::byte* row) {
  for (const auto& column : columns_) {
    column->unpack(e, row);
    row += column->bytes_each;
  }
}

}  // namespace brisance::dist
