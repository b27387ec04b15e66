#include "exports/writers/pieces_table.hpp"

#include <spdlog/fmt/fmt.h>

namespace brisance::exports {

std::string pieces_table(const std::vector<PieceLife>& pieces) {
  std::string text = "id,name,parent,first_frame,last_frame,born_s,mass_kg\n";
  for (const PieceLife& piece : pieces)
    text += fmt::format("{},{},{},{},{},{:.9g},{:.9g}\n", piece.id, piece.name,
                        piece.parent < 0 ? std::string() : pieces[static_cast<std::size_t>(piece.parent)].name,
                        piece.first_frame, piece.last_frame, piece.born_s, piece.mass_kg);
  return text;
}

}  // namespace brisance::exports
