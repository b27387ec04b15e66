/// Writes row_of_cubes(6, 6) as a runtime file, for programs that cannot include C++. usage: write_sample FILE
#include "brisance/runtime/impact_file.hpp"

#include "runtime/sample_set.hpp"

#include <fstream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ofstream file(argv[1], std::ios::binary);
  file << brisance::runtime::encode(brisance::test::row_of_cubes(6, 6));
  return file.flush() ? 0 : 1;
}
